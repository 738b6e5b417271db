/** Finds the files that a list names among those that were dropped: paths rarely agree, their ends do. */
import type { ListedFile } from './file-list.ts';

export interface Named {
  /** Path with `/` or `\`, as it was dropped. */
  readonly name: string;
}

export interface Matched<File extends Named> {
  readonly listed: ListedFile;
  /** Null: not among the files. */
  readonly file: File | null;
}

/** Each dropped file serves once; of several that would do, the one whose path agrees most, then the least deep one. */
export function matchListed<File extends Named>(
  listed: readonly ListedFile[],
  files: readonly File[],
): Matched<File>[] {
  const free = new Set(files);
  return listed.map((wanted) => {
    const file = bestMatch(wanted.path, [...free]);
    if (file !== null) {
      free.delete(file);
    }
    return { listed: wanted, file };
  });
}

function bestMatch<File extends Named>(path: string, files: readonly File[]): File | null {
  const wanted = segmentsOf(path);
  const ranked = files
    .map((file) => ({ file, segments: segmentsOf(file.name) }))
    .map(({ file, segments }) => ({ file, depth: segments.length, agreement: commonEnd(wanted, segments) }))
    .filter(({ agreement }) => agreement > 0)
    .sort((one, other) => other.agreement - one.agreement || one.depth - other.depth);
  return ranked[0]?.file ?? null;
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && one.at(-1 - count) === other.at(-1 - count)) {
    count++;
  }
  return count;
}
