/** Readers of the ready decoders. Loaded with the first decoder that is chosen, because most ports have none. */

import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderDraft } from '@wirebench/contract/decoders';
import { compile, type FrameReader, loadBuiltInFile } from '@wirebench/frames';
import type { ReadyDecoder } from '../../protocol/bench/frame-part.ts';

/** Decoders that share a line: a receiver of positions sends both. */
const together: Readonly<Partial<Record<ReadyDecoder, readonly ReadyDecoder[]>>> = { ubx: ['ubx', 'nmea'] };

/**
 * @property isText True: frames are lines of text with their endings.
 * @throws Error if a file of the decoder cannot be loaded.
 */
export async function readyReader(
  name: ReadyDecoder,
): Promise<{ readonly reader: FrameReader; readonly isText: boolean }> {
  const library: Readonly<Record<string, DecoderDraft>> = libraryDecoders;
  const decoders = (together[name] ?? [name]).flatMap((one) => {
    const draft = library[one];
    const checked = draft === undefined ? null : checkDecoder(JSON.stringify(draft));
    return checked?.content ? [checked.content] : [];
  });
  const files = new Map<string, Uint8Array>();
  for (const { sha256 } of decoders.flatMap((decoder) => decoder.files)) {
    const bytes = await loadBuiltInFile(sha256);
    if (bytes !== null) {
      files.set(sha256, bytes);
    }
  }
  return { reader: compile(decoders, { files }), isText: decoders.every(({ framing }) => framing.kind === 'lines') };
}
