/**
 * Collects files that were dropped or chosen: single files, or those of a folder that a build may have written for
 * flashing. Decides by names and folders only; `propose-builds.ts` reads the files.
 */
import { firmwareFormatOf } from '@wirebench/contract';
import { type DroppedEntry, isPassedBy, walkEntries } from '../../../shared/files/walk-entries.ts';

export type { DroppedEntry };

export interface Dropped {
  readonly entries: Promise<readonly DroppedEntry[]>;
  readonly hasFolder: boolean;
}

/**
 * Returns the dropped entries. Must be called during the event, because the browser discards the entries afterwards.
 */
export function droppedEntries({ items, files }: DataTransfer): Dropped {
  const found = Array.from(items).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (found.length === 0) {
    return { entries: Promise.resolve(entriesOfFiles(files)), hasFolder: false };
  }
  return { entries: walkEntries(found, mayBeFlashed), hasFolder: found.some(({ isDirectory }) => isDirectory) };
}

/** Returns the files of a file input, with their paths if a folder was chosen. */
export function entriesOfFiles(files: Iterable<File>): DroppedEntry[] {
  return Array.from(files, (file) => ({
    path: file.webkitRelativePath || file.name,
    file: () => Promise.resolve(file),
  })).filter(({ path }) => mayBeFlashed(path) || !path.includes('/'));
}

/** Builds write ELF files beside the files that are flashed. One is flashed only if a person picks it. */
function mayBeFlashed(path: string): boolean {
  const format = firmwareFormatOf(path);
  const isFirmware = format !== null && format !== 'elf';
  return (isFirmware || /\.json$|(^|\/)flash_(project_)?args$/i.test(path)) && !isPassedBy(path);
}
