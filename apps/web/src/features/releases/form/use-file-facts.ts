/**
 * Reads facts from the bytes of the chosen files, for each build. Repeats it after each change of the selection, because
 * an offset depends on the other files.
 */
import { useAsync } from '../../../shared/ui/use-async.ts';
import type { FilesRead } from './file-facts.ts';
import { readFileFacts } from './read-file-facts.ts';
import type { FlashTarget } from './suggest-offsets.ts';
import { useKept } from './use-kept.ts';

const nothingRead: FilesRead = { byFile: new Map(), warnings: [] };

/** The files of one build. */
export interface FilesOf {
  readonly files: readonly File[];
  readonly target: FlashTarget;
}

/** Returns the facts of each build, in their order. */
export function useFileFacts(builds: readonly FilesOf[]): readonly FilesRead[] {
  // Each keystroke creates new rows. Only changed files are read again.
  const known = useKept(builds, isSameBuild);
  const read = useAsync(
    [known],
    async () => ({
      of: known,
      facts: await Promise.all(
        known.map(({ files, target }) => (files.length === 0 ? nothingRead : readFileFacts(files, target))),
      ),
    }),
    // Name and family still give suggestions. The upload reports the fault of the file.
    (error) => console.warn('The firmware files could not be inspected.', error),
  );
  // Earlier facts are shown until the next ones arrive, unless they are of other builds.
  return builds.map(({ files }, index) =>
    files.length === 0 || read === undefined || read.of.length !== builds.length
      ? nothingRead
      : (read.facts[index] ?? nothingRead),
  );
}

function isSameBuild(one: FilesOf, other: FilesOf): boolean {
  return (
    one.target.deviceFamily === other.target.deviceFamily &&
    one.target.deviceModel === other.target.deviceModel &&
    one.files.length === other.files.length &&
    one.files.every((file, index) => file === other.files[index])
  );
}
