/** Matches the files that a list names with the dropped files. */
import { matchNames, type Named } from '../../core/named-files.ts';
import type { ListedFile } from './file-list.ts';

export interface Matched<File extends Named> {
  readonly listed: ListedFile;
  /** Null if the file was not dropped, or if several may be it. */
  readonly file: File | null;
  /** Files of which the folders do not tell which is meant; empty unless there are several. */
  readonly rivals: readonly File[];
}

/** Matches each dropped file at most once. Of files that agree equally, the one in the fewest folders is meant. */
export function matchListed<File extends Named & { readonly bytes: Uint8Array }>(
  listed: readonly ListedFile[],
  files: readonly File[],
): Matched<File>[] {
  const matches = matchNames(
    listed.map(({ path }) => path),
    files,
    { prefersShallow: true },
  );
  return listed.map((wanted, index) => {
    const match = matches[index] ?? { kind: 'missing' };
    return {
      listed: wanted,
      file: match.kind === 'found' ? match.file : null,
      rivals: match.kind === 'several' ? match.files : [],
    };
  });
}
