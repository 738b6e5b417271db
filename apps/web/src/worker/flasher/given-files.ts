/**
 * Converts given files to bytes with a name: opens archives and calculates hashes. The family decides the purpose of
 * a file.
 */
import { ImageError, imageFaultText, readNestedZip, startsLikeZip } from '@wirebench/flasher/images';
import type { FileId, GivenFile } from '../../protocol/flash-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';

/** Maximum number of files of one flash (docs/behaviour.md, "Flashers"). */
const maxFiles = 4;

export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

export interface OpenedFile {
  /** Name, or path within a folder or an archive. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Prescribed offset, for example by a release; null if it is derived. */
  readonly given: number | null;
}

/** A file of a plan, and the address of a file that contains none. */
export interface ChosenPlace {
  readonly id: FileId;
  readonly offset: number;
}

/** Limit on the size of a file in bytes: no flash of any family is larger. */
const LARGEST_FILE = 128 * 1_048_576;

/**
 * Reads a file, or the files in an archive.
 * @param unreadable Receives files that cannot be opened, with the reason.
 */
export async function openedFiles({ name, content, offset }: GivenFile, unreadable: LeftOut[]): Promise<OpenedFile[]> {
  if (content.size > LARGEST_FILE) {
    unreadable.push({
      name: baseName(name),
      why: `At ${sizeText(content.size)} it is larger than any flash. Choose the files that your build wrote.`,
    });
    return [];
  }
  const bytes = new Uint8Array(await content.arrayBuffer());
  if (!startsLikeZip(bytes)) {
    return [{ name, bytes, given: offset ?? null }];
  }
  try {
    return readNestedZip(bytes).map((file) => ({ ...file, given: null }));
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    unreadable.push({ name: baseName(name), why: `${error.message} ${imageFaultText[error.code].remedy}` });
    return [];
  }
}

const tooManyText = `At most ${maxFiles} files can be written at once. Write the others afterwards.`;

/** Splits files at the limit, and gives the reason for each file beyond it. */
export function withinLimit<File extends { readonly name: string }>(found: readonly File[]) {
  const tooMany = found.slice(maxFiles).map(({ name }): LeftOut => ({ name: baseName(name), why: tooManyText }));
  return { taken: found.slice(0, maxFiles), tooMany };
}

export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
