/** Edits of the files in a partition as a planned change of the page. */
import type { Partition } from '@wirebench/flasher/esp';
import { type FileEdit, planFiles } from '@wirebench/flasher/file-systems';
import type { FileSystemState } from '../../../../../../protocol/file-system-protocol.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';
import { originsOf } from '../../../../store/disk-files.ts';

export type FilesDraft = readonly FileEdit[];

/** Returns the planned change of a partition; null if nothing differs from the board. */
export function plannedFiles(
  partition: Partition,
  md5: string,
  edits: FilesDraft,
  state: FileSystemState,
): PlannedChange<FilesDraft> | null {
  const planned = planFiles(partition, md5, state, sizeText);
  return planned === null
    ? null
    : {
        ...planned,
        madeFrom: originsOf(edits.map((edit) => (edit.kind === 'write' ? edit.bytes : null))),
        draft: edits,
      };
}
