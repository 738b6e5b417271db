/** Tree of files and folders. It is one stop of the Tab key: arrow keys move, fold and unfold. */
import type { EditedEntry } from '@wirebench/flasher/file-systems';
import { File, FileImage, FileKey, FileText, Folder, FolderOpen } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { type FileRow, parentOf } from './file-rows.ts';
import styles from './files-view.module.css';

interface FileTreeProps {
  readonly label: string;
  readonly rows: readonly FileRow[];
  readonly selected: string | null;
  readonly onSelect: (path: string) => void;
  readonly onFold: (path: string, isFolded: boolean) => void;
  /** Null: nothing can be changed. */
  readonly onRemove: ((path: string) => void) | null;
  readonly onRename: ((path: string) => void) | null;
}

export function FileTree({ label, rows, selected, onSelect, onFold, onRemove, onRename }: FileTreeProps) {
  const root = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const [stop, setStop] = useState<string | null>(null);
  const first = rows[0]?.entry.path ?? null;
  const wanted = stop ?? selected;
  const tabStop = rows.some(({ entry }) => entry.path === wanted) ? wanted : first;
  useEffect(() => {
    // The focused row was taken out, because its file is not on the board.
    if (hadFocus.current && document.activeElement === document.body && rows.length > 0) {
      root.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    }
  }, [rows]);
  const pressed = (event: KeyboardEvent) => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { path, kind } = row.entry;
    const steps: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: items[at + 1],
      ArrowUp: items[at - 1],
      Home: items[0],
      End: items.at(-1),
    };
    const parent = items[rows.findIndex(({ entry }) => entry.path === parentOf(path))];
    const actions: Readonly<Record<string, (() => void) | null>> = {
      Enter: () => choose(row),
      ' ': () => choose(row),
      ArrowRight: kind === 'folder' ? () => (row.isOpen ? items[at + 1]?.focus() : onFold(path, false)) : null,
      ArrowLeft: row.isOpen ? () => onFold(path, true) : () => parent?.focus(),
      Delete: onRemove === null || row.entry.change === 'removed' ? null : () => onRemove(path),
      F2: onRename === null || row.entry.change === 'removed' ? null : () => onRename(path),
    };
    const act = event.key in steps ? () => steps[event.key]?.focus() : (actions[event.key] ?? null);
    if (act !== null) {
      event.preventDefault();
      act();
    }
  };
  const choose = ({ entry, isOpen }: FileRow) => {
    onSelect(entry.path);
    if (entry.kind === 'folder' && (selected === entry.path || !isOpen)) {
      onFold(entry.path, isOpen);
    }
  };
  return (
    <div
      ref={root}
      className={styles['tree']}
      role="tree"
      aria-label={label}
      onKeyDown={pressed}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        hadFocus.current = relatedTarget === null;
      }}
    >
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys.
        <div
          key={row.entry.path}
          role="treeitem"
          aria-level={row.depth + 1}
          aria-expanded={row.entry.kind === 'folder' ? row.isOpen : undefined}
          aria-selected={row.entry.path === selected}
          title={row.entry.path}
          style={{ '--depth': row.depth } as CSSProperties}
          className={classNames(
            styles['row'],
            'ring-inside',
            row.entry.path === selected && styles['selected'],
            row.entry.change === 'removed' && styles['removed'],
          )}
          tabIndex={row.entry.path === tabStop ? 0 : -1}
          onFocus={() => setStop(row.entry.path)}
          onClick={() => choose(row)}
        >
          <RowIcon row={row} />
          <span className="ellipsis">{row.name}</span>{' '}
          <small className={row.entry.change === null ? undefined : styles['mark']}>{describe(row.entry)}</small>
        </div>
      ))}
    </div>
  );
}

/** Size, or what the plan does to the entry. */
function describe({ kind, size, change, fault, files }: EditedEntry): string {
  const extent = kind === 'folder' ? counted(files, 'file') : sizeText(size);
  switch (change) {
    case 'added':
      return `new, ${extent}`;
    case 'changed':
      return 'changed';
    case 'renamed':
      return 'renamed';
    case 'removed':
      return 'deleted';
    case null:
      return fault === null ? extent : fault === 'damaged' ? 'damaged' : `wrong length, ${extent}`;
  }
}

function RowIcon({ row: { entry, name, isOpen } }: { readonly row: FileRow }) {
  if (entry.kind === 'folder') {
    return isOpen ? <FolderOpen aria-hidden /> : <Folder aria-hidden />;
  }
  if (/\.(?:png|jpe?g|gif|bmp|ico|webp|svg)$/i.test(name)) {
    return <FileImage aria-hidden />;
  }
  if (/\.(?:pem|key|crt|cer|der)$/i.test(name)) {
    return <FileKey aria-hidden />;
  }
  return /\.(?:txt|json|html?|css|m?js|xml|csv|ini|cfg|ya?ml|md|py|lua|log)$/i.test(name) ? (
    <FileText aria-hidden />
  ) : (
    <File aria-hidden />
  );
}
