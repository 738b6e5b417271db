/** Readers of the ready decoders, and of decoders with files of a person's own. */
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderContent, DecoderDraft, DecoderRegister, DecoderStep } from '@wirebench/contract/decoders';
import { builtInFiles } from './built-in-files.ts';
import { compile } from './compile.ts';
import type { FrameReader } from './frame-types.ts';
import type { ReadyDecoder } from './ready-decoders.ts';
import { DecoderError, filesOf } from './steps/step-files.ts';

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
  const all = await withBuiltInFiles(decoders, files);
  const isText = decoders.every(
    ({ framing, steps }) => framing.kind === 'lines' || steps.some((step) => textSteps.has(step)),
  );
  const complete = await Promise.all(decoders.map((decoder) => withRegisters(decoder, all)));
  return { reader: compile(complete, { files: all }), isText };
}

type Files = ReadonlyMap<string, Uint8Array>;

async function withBuiltInFiles(decoders: readonly DecoderContent[], files: Files): Promise<Files> {
  const all = new Map(files);
  for (const { sha256 } of decoders.flatMap((decoder) => decoder.files)) {
    const bytes = all.get(sha256) ?? (await loadBuiltInFile(sha256));
    if (bytes !== null) {
      all.set(sha256, bytes);
    }
  }
  return all;
}

/** Returns the files of a decoder that are neither among `files` nor part of the product, in its order. */
export async function missingFiles(decoder: DecoderContent, files: Files): Promise<DecoderContent['files']> {
  const all = await withBuiltInFiles([decoder], files);
  return decoder.files.filter(({ sha256 }) => !all.has(sha256));
}

/** Returns the decoder with the registers of its tables behind its own. */
async function withRegisters(decoder: DecoderContent, files: Files): Promise<DecoderContent> {
  const tables = filesOf(decoder, { files }, 'registers');
  if (tables.length === 0) {
    return decoder;
  }
  const { importRegisters } = await import('./steps/modbus/register-import.ts');
  const registers: DecoderRegister[] = [...decoder.registers];
  for (const { name, bytes } of tables) {
    const table = importRegisters(new TextDecoder().decode(bytes));
    if (table.registers.length === 0) {
      throw new DecoderError(`The file ${name} has no registers: ${table.faults[0] ?? 'it is empty.'}`);
    }
    registers.push(...table.registers);
  }
  return { ...decoder, registers };
}

/**
 * Loads a file of a ready decoder.
 *
 * @returns null if the product has no file with this SHA-256.
 */
export async function loadBuiltInFile(sha256: string): Promise<Uint8Array | null> {
  const name = builtInFiles.get(sha256);
  if (name === undefined) {
    return null;
  }
  const { commonSet } = await import('./mavlink/common-set.ts');
  const text = commonSet.get(name);
  return text === undefined ? null : new TextEncoder().encode(text);
}
