/**
 * Finds given files by the paths that lists, tables and manifests name. The paths rarely agree, but their ends do: the longest
 * common end decides. What the folders do not tell is left open, because the wrong file of two would be taken without a word.
 */

export interface Named {
  /** Name or path, with `/` or `\`. */
  readonly name: string;
}

/** `several`: the folders do not tell which of these files it is, or for which of several paths a file is. */
export type NameMatch<File> =
  | { readonly kind: 'found'; readonly file: File }
  | { readonly kind: 'several'; readonly files: readonly File[] }
  | { readonly kind: 'missing' };

export interface NameMatchOptions<File> {
  /** True: a file may be taken for a path that is named again, or that is the end of another one. */
  readonly isShared?: boolean;
  /** True: of files that agree equally, the one in the fewest folders is meant. */
  readonly prefersShallow?: boolean;
  /** Returns true for files of which either may be taken. Missing: every file counts. */
  readonly isSame?: (one: File, other: File) => boolean;
}

/** A file, or a path that is named, by its folders. */
interface Parts<Value> {
  readonly value: Value;
  readonly segments: readonly string[];
}

/** @returns One result for each path, in their order. */
export function matchNames<File extends Named>(
  paths: readonly string[],
  files: readonly File[],
  options: NameMatchOptions<File> = {},
): NameMatch<File>[] {
  const wanted = [...new Map(paths.map((path) => [keyOf(path), path])).values()].map(partsOf);
  const given = files.map((file) => ({ value: file, segments: segmentsOf(file.name) }));
  const matches = matchDistinct(wanted, given, options);
  const used = new Set<string>();
  return paths.map((path) => {
    const key = keyOf(path);
    const isAgain = used.has(key) && options.isShared !== true;
    used.add(key);
    return isAgain ? { kind: 'missing' } : (matches.get(key) ?? { kind: 'missing' });
  });
}

function matchDistinct<File extends Named>(
  wanted: readonly Parts<string>[],
  given: readonly Parts<File>[],
  { isShared = false, prefersShallow = false, isSame = () => false }: NameMatchOptions<File>,
): Map<string, NameMatch<File>> {
  const matches = new Map<string, NameMatch<File>>();
  const takers = new Map<Parts<File>, Parts<string>>();
  const deepest = Math.max(0, ...wanted.map(({ segments }) => segments.length));
  // The whole path is the strongest agreement, then common ends from the longest to the shortest.
  for (let level = deepest + 1; level > 0; level--) {
    const claims = new Map<Parts<File>, Parts<string>[]>();
    for (const path of wanted.filter(({ value }) => !matches.has(keyOf(value)))) {
      const free = given.filter((file) => !takers.has(file) && agreement(path, file, deepest) === level);
      const [file, ...others] = distinct(prefersShallow ? shallowest(free) : free, isSame);
      if (file !== undefined && others.length === 0) {
        claims.set(file, [...(claims.get(file) ?? []), path]);
      } else if (file !== undefined) {
        matches.set(keyOf(path.value), { kind: 'several', files: [file, ...others].map(({ value }) => value) });
      }
    }
    for (const [file, paths] of claims) {
      // A path without further folders says no more than the file has. Another one would contradict it.
      const whole = paths.filter(({ segments }) => segments.length <= level);
      const [only] = paths.length === 1 ? paths : whole.length === 1 ? whole : [];
      if (only === undefined) {
        for (const { value } of paths) {
          matches.set(keyOf(value), { kind: 'several', files: [file.value] });
        }
      } else {
        takers.set(file, only);
        matches.set(keyOf(only.value), { kind: 'found', file: file.value });
      }
    }
  }
  if (isShared) {
    for (const path of wanted.filter(({ value }) => !matches.has(keyOf(value)))) {
      const shared = [...takers].find(([, taker]) => isEndOf(taker, path) || isEndOf(path, taker));
      if (shared !== undefined) {
        matches.set(keyOf(path.value), { kind: 'found', file: shared[0].value });
      }
    }
  }
  return matches;
}

const partsOf = (path: string): Parts<string> => ({ value: path, segments: segmentsOf(path) });

const keyOf = (path: string): string => segmentsOf(path).join('/');

/**
 * Returns the folders and the name of a path, without `.` and without a folder that a `..` leaves again. A `..` that leads out of
 * the path stays.
 */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') {
      segments.pop();
    } else if (segment !== '' && segment !== '.') {
      segments.push(segment);
    }
  }
  return segments;
}

/** Returns the number of equal folders and names at the end; one more than all for equal paths. */
function agreement({ segments: one }: Parts<string>, { segments: other }: Parts<Named>, deepest: number): number {
  const count = commonEnd(one, other);
  return count === one.length && count === other.length ? deepest + 1 : count;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && one.at(-1 - count) === other.at(-1 - count)) {
    count++;
  }
  return count;
}

const isEndOf = ({ segments: end }: Parts<string>, { segments: whole }: Parts<string>): boolean =>
  commonEnd(end, whole) === end.length;

function shallowest<File>(files: readonly Parts<File>[]): readonly Parts<File>[] {
  const least = Math.min(...files.map(({ segments }) => segments.length));
  return files.filter(({ segments }) => segments.length === least);
}

/** Returns the files without those that are the same as one before. */
function distinct<File>(files: readonly Parts<File>[], isSame: (one: File, other: File) => boolean) {
  return files.filter((file, index) => !files.slice(0, index).some((before) => isSame(before.value, file.value)));
}
