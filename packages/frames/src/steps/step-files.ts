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
