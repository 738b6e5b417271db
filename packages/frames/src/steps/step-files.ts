/** Files beside a decoder: DBC, XML. */
import type { DecoderContent, DecoderFileUse } from '@wirebench/contract/decoders';
import type { FrameSettings } from '../frame-types.ts';

/** A decoder that cannot be applied. The message is a sentence with a remedy. */
export class DecoderError extends Error {
  override readonly name = 'DecoderError';
}

interface StepFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Files that are kept after they were read: several ports may use one. */
const MAX_REMEMBERED = 4;

/**
 * Returns a function that reads a file only once while it is in use. The least recently used one is forgotten. A file
 * that cannot be read is read again each time.
 */
export function remember<Result>(): (key: string, read: () => Result) => Result {
  const results = new Map<string, Result>();
  return (key, read) => {
    const result = results.get(key) ?? read();
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > MAX_REMEMBERED && oldest !== undefined) {
      results.delete(oldest);
    }
    return result;
  };
}

/**
 * Returns the files of a decoder that have a use, in its order.
 *
 * @throws DecoderError if one of them is not there.
 */
export function filesOf(decoder: DecoderContent, { files }: FrameSettings, use: DecoderFileUse): StepFile[] {
  return decoder.files
    .filter((file) => file.use === use)
    .map(({ name, sha256 }) => {
      const bytes = files?.get(sha256);
      if (bytes === undefined) {
        throw new DecoderError(`The file ${name} of the decoder ${decoder.title} is missing. Add it to the decoder.`);
      }
      return { name, sha256, bytes };
    });
}
