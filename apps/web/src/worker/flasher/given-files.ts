/**
 * Converts given files to bytes with a name: opens archives and calculates hashes. The family decides the purpose of
 * a file.
 */
import { baseName } from '@wirebench/flasher/core';
import { ImageError, imageFaultText, readNestedZip, startsLikeZip } from '@wirebench/flasher/images';
import type { ChosenFiles, FileId, FileSet, GivenFile } from '../../protocol/flash-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';

/** Maximum number of files that a person chooses for one flash (docs/behaviour.md, "Flashers"). */
const maxFiles = 4;
/** Maximum number of files in a build of a release (docs/behaviour.md, "Releases"). */
const maxBuildFiles = 8;

/** Files that may be written together, as a family keeps them. */
interface KeptFiles {
  add(given: readonly GivenFile[]): Promise<ChosenFiles>;
  remove(ids: readonly FileId[]): ChosenFiles;
}

/** Keeps the chosen files, and the files of each build of a release, apart from each other. */
export class FileSets<Files extends KeptFiles> {
  readonly #create: (limit: number) => Files;
  readonly #sets = new Map<FileSet, Files>();

  /** @param create Returns an empty set for at most `limit` files. */
  constructor(create: (limit: number) => Files) {
    this.#create = create;
  }

  of(set: FileSet): Files {
    const kept = this.#sets.get(set) ?? this.#create(set === undefined ? maxFiles : maxBuildFiles);
    this.#sets.set(set, kept);
    return kept;
  }

  add(given: readonly GivenFile[], set: FileSet): Promise<ChosenFiles> {
    return this.of(set).add(given);
  }

  /** Frees the bytes of a set whose last file is removed. */
  remove(ids: readonly FileId[], set: FileSet): ChosenFiles {
    const left = this.of(set).remove(ids);
    if (left.files.length === 0) {
      this.#sets.delete(set);
    }
    return left;
  }
}

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

const tooManyText = (limit: number) => `At most ${limit} files can be written at once. Write the others afterwards.`;

/** Splits files at the limit, and gives the reason for each file beyond it. */
export function withinLimit<File extends { readonly name: string }>(found: readonly File[], limit: number) {
  const why = tooManyText(limit);
  const tooMany = found.slice(limit).map(({ name }): LeftOut => ({ name: baseName(name), why }));
  return { taken: found.slice(0, limit), tooMany };
}
