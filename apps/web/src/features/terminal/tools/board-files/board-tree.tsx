/** The tree of files and folders on a board, with a menu at each. */
import { type BoardEntry, pathText } from '@wirebench/serial/micropython';
import { ChevronDown, ChevronRight, FilePlus, FolderPlus, MoreHorizontal } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { sizeText } from '../../../../shared/format/bytes.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import styles from './board-files-panel.module.css';
import type { BoardPartProps, PortProps } from './board-part.ts';
import {
  downloadFromBoard,
  downloadZip,
  makeFileOnBoard,
  makeFolderOnBoard,
  removeFromBoard,
  renameOnBoard,
} from './board-store.ts';

interface BoardTreeProps extends BoardPartProps {
  readonly entries: readonly BoardEntry[];
  readonly onOpen: (path: string, size: number) => void;
}

/** A name that is asked for. */
type Naming =
  | { readonly kind: 'file' | 'folder'; readonly start: string }
  | { readonly kind: 'rename'; readonly from: string; readonly start: string };

interface NameFormProps extends PortProps {
  readonly naming: Naming;
  readonly onDone: () => void;
}

/** Asks for the path of a new file or folder, or for another one. */
function BoardNameForm({ port, naming, onDone }: NameFormProps) {
  const [path, setPath] = useState(naming.start);
  const label = { file: 'Path of the new file', folder: 'Path of the new folder', rename: 'New path' }[naming.kind];
  return (
    <form
      className="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        if (naming.kind === 'rename') {
          renameOnBoard(port, naming.from, path);
        } else if (naming.kind === 'file') {
          makeFileOnBoard(port, path);
        } else {
          makeFolderOnBoard(port, path);
        }
      }}
    >
      <TextInput
        mono
        autoFocus
        aria-label={label}
        value={path}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onDone();
          }
        }}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <Button size="sm" type="submit">
        {naming.kind === 'rename' ? 'Rename' : 'Create'}
      </Button>
      <Button size="sm" variant="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}

export function BoardTree({ port, view, isBusy, entries, onOpen }: BoardTreeProps) {
  const list = useRef<HTMLUListElement>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<string | null>(null);
  const listed = useRef<readonly BoardEntry[] | null>(null);
  useEffect(() => {
    // The focused row was deleted, or the form of a name has closed.
    if (listed.current !== entries && document.activeElement === document.body) {
      list.current?.focus({ preventScroll: true });
    }
    listed.current = entries;
  }, [entries]);
  return (
    <div className={styles['tree']}>
      <span className="buttons">
        <Button size="sm" icon={<FilePlus />} disabled={isBusy} onClick={() => setNaming({ kind: 'file', start: '/' })}>
          New file
        </Button>
        <Button
          size="sm"
          icon={<FolderPlus />}
          disabled={isBusy}
          onClick={() => setNaming({ kind: 'folder', start: '/' })}
        >
          New folder
        </Button>
      </span>
      {naming === null ? null : (
        <BoardNameForm
          port={port}
          naming={naming}
          onDone={() => {
            setNaming(null);
            list.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {entries.length === 0 ? <p>The board has no files.</p> : null}
      <ul ref={list} tabIndex={-1} aria-label="Files of the board">
        {unfolded(entries, folded).map(({ path, isFolder, size }) => (
          <li key={path} style={{ '--depth': path.split('/').length - 2 } as CSSProperties} className={styles['entry']}>
            {isFolder ? (
              <button
                type="button"
                className={`row ${styles['name']} ${styles['file']}`}
                aria-expanded={!folded.has(path)}
                onClick={() => setFolded(toggled(folded, path))}
              >
                {folded.has(path) ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
                <span className="ellipsis">{nameText(path)}</span>
              </button>
            ) : (
              <button
                type="button"
                className={`ellipsis ${styles['name']} ${styles['file']} ${styles['leaf']}`}
                aria-current={view.open?.path === path}
                // A disabled button would lose the focus while the file is read.
                aria-disabled={isBusy}
                onClick={() => {
                  if (!isBusy) {
                    onOpen(path, size);
                  }
                }}
              >
                {nameText(path)}
              </button>
            )}
            <span className={styles['facts']}>{isFolder ? '' : sizeText(size)}</span>
            <Menu
              align="end"
              items={[
                ...(isFolder
                  ? [
                      {
                        label: 'New file…',
                        movesFocus: true,
                        onSelect: () => setNaming({ kind: 'file', start: `${path}/` }),
                      },
                      {
                        label: 'New folder…',
                        movesFocus: true,
                        onSelect: () => setNaming({ kind: 'folder', start: `${path}/` }),
                      },
                      { label: 'Save as zip', onSelect: () => downloadZip(port, path) },
                    ]
                  : [{ label: 'Save on this computer', onSelect: () => downloadFromBoard(port, path) }]),
                {
                  label: 'Rename…',
                  movesFocus: true,
                  onSelect: () => setNaming({ kind: 'rename', from: path, start: path }),
                },
                { label: 'Delete…', onSelect: () => setRemoving(path) },
              ]}
              trigger={(props) => (
                <Button
                  {...props}
                  size="sm"
                  variant="quiet"
                  disabled={isBusy}
                  icon={<MoreHorizontal />}
                  aria-label={`More about ${pathText(path)}`}
                />
              )}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Delete ${pathText(removing ?? '')}?`}
        text="It is deleted from the board, folders with everything in them. This cannot be undone."
        action="Delete"
        onConfirm={() => {
          setRemoving(null);
          removeFromBoard(port, removing ?? '');
        }}
      />
    </div>
  );
}

const nameText = (path: string) => pathText(path.split('/').at(-1) ?? '');

/** Returns the entries that are below no folded folder. */
const unfolded = (entries: readonly BoardEntry[], folded: ReadonlySet<string>) =>
  entries.filter(({ path }) => ![...folded].some((folder) => path.startsWith(`${folder}/`)));

function toggled(folded: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const others = [...folded].filter((folder) => folder !== path);
  return new Set(others.length === folded.size ? [...others, path] : others);
}
