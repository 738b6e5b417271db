/** Words and sectors of planned changes to files. */
import { type BoardChange, sectorSize, splitIntoRegions } from '@wirebench/flasher/core';
import type { Partition } from '@wirebench/flasher/esp';
import type { EditedEntry, FileEdit } from '@wirebench/flasher/file-systems';
import { type FileSystemState, fileSystemNames } from '../../../../../../protocol/file-system-protocol.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { count, counted } from '../../../../../../shared/format/numbers.ts';
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
  if (!state.isChanged || state.kind === null) {
    return null;
  }
  const changed = state.entries.filter(({ change }) => change !== null);
  const format = state.isFormatted ? [`formatted as ${fileSystemNames[state.kind]}`] : [];
  const entries = [...format, ...changed.map(entryText)];
  const bytes = state.changed.reduce((sum, region) => sum + region.bytes.length, 0);
  const change: BoardChange = {
    name: partition.name,
    range: { offset: partition.offset, length: partition.size },
    basis: md5,
    erases: [],
    writes: state.changed.flatMap((region) => splitIntoRegions(partition.offset + region.offset, region.bytes)),
  };
  return {
    change,
    what: changed.length === 0 ? 'a new file system' : counted(changed.length, 'changed file'),
    count: Math.max(1, changed.length),
    entries,
    note: `${count(Math.ceil(bytes / sectorSize))} of ${count(Math.ceil(partition.size / sectorSize))} sectors`,
    madeFrom: originsOf(edits.map((edit) => (edit.kind === 'write' ? edit.bytes : null))),
    draft: edits,
  };
}

/** `+ /www/index.html 4.1 KB`, `/config.json changed`, `/old.txt deleted`. */
function entryText({ path, kind, size, change, was, files }: EditedEntry): string {
  const name = kind === 'folder' ? `${path}/` : path;
  switch (change) {
    case 'added':
      return kind === 'folder' ? `+ ${name}` : `+ ${name} ${sizeText(size)}`;
    case 'removed':
      return kind === 'folder' ? `${name} deleted, ${counted(files, 'file')}` : `${name} deleted`;
    case 'renamed':
      return `${was} → ${path}`;
    case 'changed':
    case null:
      return `${name} changed`;
  }
}
