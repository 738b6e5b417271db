/** Faults of a release's files. Only its publisher can correct them. */
import { ImageError, imageFaultText } from './image-error.ts';

/** A file of the release that cannot be used. Its message is a sentence with its remedy. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly code = 'unusable-file';
}

/**
 * Reads a file of a release.
 *
 * @throws FileFault in place of an `ImageError` of `read`.
 */
export function readOrFault<Contents>(name: string, read: () => Contents): Contents {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImageError) {
      throw new FileFault(`${name}: ${error.message} ${imageFaultText[error.code].remedy}`);
    }
    throw error;
  }
}
