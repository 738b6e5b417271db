/** What differs between the files of two versions. Files are the same one when their names are, in any case. */
import { type FirmwareFile, nameKey } from '@wirebench/contract';

export type FileChange = 'added' | 'removed' | 'changed' | 'moved' | 'same';

export interface ComparedFile {
  readonly fileName: string;
  /** Null where the older version has none. */
  readonly before: FirmwareFile | null;
  /** Null where the newer version has none. */
  readonly after: FirmwareFile | null;
  /** `moved`: the same bytes at another offset. `changed`: other bytes, at whichever offset. */
  readonly change: FileChange;
}

/** One entry for each file of either version: those of the newer one in its order, then what is gone. */
export function compareFiles(before: readonly FirmwareFile[], after: readonly FirmwareFile[]): ComparedFile[] {
  const left = [...before];
  const take = (file: FirmwareFile): FirmwareFile | null => {
    const sameName = left.filter(({ fileName }) => nameKey(fileName) === nameKey(file.fileName));
    // Two files may have one name: the one at the same place is meant.
    const found = sameName.find(({ offset }) => offset === file.offset) ?? sameName[0] ?? null;
    if (found !== null) {
      left.splice(left.indexOf(found), 1);
    }
    return found;
  };
  const kept = after.map((file) => {
    const found = take(file);
    return { fileName: file.fileName, before: found, after: file, change: changeOf(found, file) };
  });
  return [
    ...kept,
    ...left.map((file) => ({ fileName: file.fileName, before: file, after: null, change: 'removed' as const })),
  ];
}

function changeOf(before: FirmwareFile | null, after: FirmwareFile): FileChange {
  if (before === null) {
    return 'added';
  }
  if (before.sha256 !== after.sha256) {
    return 'changed';
  }
  return before.offset === after.offset ? 'same' : 'moved';
}
