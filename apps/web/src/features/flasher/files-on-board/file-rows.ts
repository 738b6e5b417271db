/** Orders files and folders as a tree shows them: folders first, then by name, without what is in folded folders. */
import type { EditedEntry } from '@wirebench/flasher/file-systems';

export interface FileRow {
  readonly entry: EditedEntry;
  readonly name: string;
  /** 0 at the top. */
  readonly depth: number;
  /** False for files and folded folders. */
  readonly isOpen: boolean;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function rowsOf(entries: readonly EditedEntry[], folded: ReadonlySet<string>): FileRow[] {
  const children = new Map<string, EditedEntry[]>();
  for (const entry of entries) {
    const parent = parentOf(entry.path);
    children.set(parent, [...(children.get(parent) ?? []), entry]);
  }
  const rows: FileRow[] = [];
  const add = (parent: string, depth: number) => {
    const sorted = (children.get(parent) ?? []).toSorted(
      (one, other) =>
        Number(other.kind === 'folder') - Number(one.kind === 'folder') || order.compare(one.path, other.path),
    );
    for (const entry of sorted) {
      const isOpen = entry.kind === 'folder' && entry.change !== 'removed' && !folded.has(entry.path);
      rows.push({ entry, name: nameOf(entry.path), depth, isOpen });
      if (isOpen) {
        add(entry.path, depth + 1);
      }
    }
  };
  add('', 0);
  return rows;
}
