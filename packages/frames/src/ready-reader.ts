/** Readers of the ready decoders, and of decoders with files of a person's own. */
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderContent, DecoderDraft, DecoderStep } from '@wirebench/contract/decoders';
import { compile } from './compile.ts';
import type { FrameReader } from './frame-types.ts';
import type { ReadyDecoder } from './ready-decoders.ts';

/** Decoders that share a line: a receiver of positions sends both. */
const together: Readonly<Partial<Record<ReadyDecoder, readonly ReadyDecoder[]>>> = { ubx: ['ubx', 'nmea'] };

/** Steps whose frames are lines of text. */
const textSteps: ReadonlySet<DecoderStep> = new Set(['at', 'nmea', 'slcan']);

/** Decoders at work, and whether their frames are lines of text with their endings. */
export interface PreparedReader {
  readonly reader: FrameReader;
  readonly isText: boolean;
}

/** Returns the content of a ready decoder, and of those that share its line. */
export function readyContents(name: ReadyDecoder): DecoderContent[] {
  const library: Readonly<Record<string, DecoderDraft>> = libraryDecoders;
  return (together[name] ?? [name]).flatMap((one) => {
    const draft = library[one];
    return draft === undefined ? [] : [completeDecoder(draft)];
  });
}

/** Prepares a ready decoder. */
export const readyReader = (name: ReadyDecoder): Promise<PreparedReader> => readerOf(readyContents(name));

/**
 * Prepares decoders that share a line.
 *
 * @param files Contents of their files, by their SHA-256 in hex digits. Those of the product need not be among them.
 * @throws DecoderError if a file is missing or cannot be read.
 */
export async function readerOf(
  decoders: readonly DecoderContent[],
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<PreparedReader> {
  const all = new Map(files);
  for (const { sha256 } of decoders.flatMap((decoder) => decoder.files)) {
    const bytes = all.get(sha256) ?? (await loadBuiltInFile(sha256));
    if (bytes !== null) {
      all.set(sha256, bytes);
    }
  }
  const isText = decoders.every(
    ({ framing, steps }) => framing.kind === 'lines' || steps.some((step) => textSteps.has(step)),
  );
  return { reader: compile(decoders, { files: all }), isText };
}

/** Names of the files of the ready decoders by their SHA-256 in hex digits. */
const names: ReadonlyMap<string, string> = new Map([
  ['0616e56cd8ffbc585e673adf7e522a41711f394e27483533048b9d09c2bf5bfb', 'common.xml'],
  ['5d20fdeb994d695069bf3ec5bad3d547c5494e344a7890c4e5e7cfe752e325b9', 'standard.xml'],
  ['b779a73a558059c71d1943a81486c00eb4a63d813c5fbd87bd523f203bfa08d2', 'minimal.xml'],
]);

/**
 * Loads a file of a ready decoder.
 *
 * @returns null if the product has no file with this SHA-256.
 */
export async function loadBuiltInFile(sha256: string): Promise<Uint8Array | null> {
  const name = names.get(sha256);
  if (name === undefined) {
    return null;
  }
  const { commonSet } = await import('./mavlink/common-set.ts');
  const text = commonSet.get(name);
  return text === undefined ? null : new TextEncoder().encode(text);
}
