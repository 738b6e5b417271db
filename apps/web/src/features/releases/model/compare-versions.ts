/** Compares the files of two versions. Files are matched by offset first, because names contain versions. */
import { type FirmwareFile, parseOffset } from '@wirebench/contract';
import { compareReleases, type FileChange as ReleaseChange } from '@wirebench/flasher/compare';

export type FileChange = ReleaseChange['kind'];

export interface ComparedFile {
  /** Null if the older version lacks it. */
  readonly before: FirmwareFile | null;
  /** Null if the newer version lacks it. */
  readonly after: FirmwareFile | null;
  /** `changed`: different bytes. `moved` and `renamed`: the same bytes at another offset or under another name. */
  readonly change: FileChange;
}

/** Returns one entry for each file of either version, in address order. */
export function compareFiles(before: readonly FirmwareFile[], after: readonly FirmwareFile[]): ComparedFile[] {
  return compareReleases(before.map(addressed), after.map(addressed)).map((change) => ({
    before: change.before?.file ?? null,
    after: change.after?.file ?? null,
    change: change.kind,
  }));
}

function addressed(file: FirmwareFile) {
  const { fileName, size, sha256, offset } = file;
  return { file, fileName, size, sha256, offset: parseOffset(offset) ?? 0 };
}
