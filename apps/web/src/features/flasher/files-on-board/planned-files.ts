/** Edits of the files in a partition as a planned change of the page. */
import { type FileEdit, planFiles } from '@wirebench/flasher/file-systems';
import type { FileSystemState } from '../../../protocol/file-system-protocol.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import type { PlannedChange } from '../store/board-changes.ts';
import { originsOf } from '../store/disk-files.ts';

export type FilesDraft = readonly FileEdit[];

/** The part of flash that holds a file system: a partition, or what an interpreter keeps. */
export interface FilesPlace {
  readonly name: string;
  /** Address or flash offset in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
  /** True: the partition table marks it as encrypted. */
  readonly encrypted?: boolean;
  /** True: the partition table marks it as read-only. */
  readonly readOnly?: boolean;
}

/** Returns the planned change of a place; null if nothing differs from the board. */
export function plannedFiles(
  place: FilesPlace,
  md5: string,
  edits: FilesDraft,
  state: FileSystemState,
): PlannedChange<FilesDraft> | null {
  const planned = planFiles(place, md5, state, sizeText);
  return planned === null
    ? null
    : {
        ...planned,
        madeFrom: originsOf(edits.map((edit) => (edit.kind === 'write' ? edit.bytes : null))),
        draft: edits,
      };
}
