/**
 * Matches the files that a list names with the dropped files. Their paths rarely agree, but the ends of the paths do.
 */
import type { ListedFile } from './file-list.ts';

export interface Named {
  /** Path of the dropped file, with `/` or `\`. */
  readonly name: string;
}

export interface Matched<File extends Named> {
  readonly listed: ListedFile;
  /** Null if the file was not dropped. */
  readonly file: File | null;
}

/**
 * Matches each dropped file at most once. The file whose path agrees in the most segments wins, then the one in the
 * fewest folders.
 */
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
