/** Files of a MicroPython board: the tree, an editor, upload and download, and a comparison with a local folder. */

import type { PortNumber } from '@wirebench/serial';
import type { BoardEntry } from '@wirebench/serial/micropython';
import {
  ChevronDown,
  ChevronRight,
  FilePlus,
  Folder,
  FolderPlus,
  MoreHorizontal,
  Play,
  RefreshCw,
  RotateCcw,
  Save,
  Square,
  Upload,
} from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { droppedFiles, pickedFiles } from '../../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { sizeText } from '../../../../shared/format/bytes.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../../shared/ui/progress-bar.tsx';
import { TextArea, TextInput } from '../../../../shared/ui/text-input.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import styles from './board-files-panel.module.css';
import {
  type BoardView,
  closeBoardFile,
  closeComparison,
  compareWithBoard,
  downloadFromBoard,
  downloadZip,
  forgetQuestion,
  isChanged,
  listBoard,
  makeFileOnBoard,
  makeFolderOnBoard,
  openBoardFile,
  putBackZip,
  removeFromBoard,
  renameOnBoard,
  runBoardFile,
  saveBoardFile,
  softReset,
  stopBoardJob,
  typeInBoardFile,
  uploadToBoard,
  useBoard,
} from './board-store.ts';
import { indentation } from './indent.ts';

/** A name that is asked for. */
type Naming =
  | { readonly kind: 'file' | 'folder'; readonly start: string }
  | { readonly kind: 'rename'; readonly from: string; readonly start: string };

interface PortProps {
  readonly port: PortNumber;
}

export function BoardFilesPanel() {
  const port = useTerminalSession((session) => session.selectedPort);
  return <BoardOfPort key={port} port={port} />;
}

function BoardOfPort({ port }: PortProps) {
  const view = useBoard(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const isRemote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  const { job, isStopped } = useBenchStatus(({ boards }) => boards[port]);
  const fails = isRemote
    ? `${name} is on a shared bench: only its host can work on the files of the board.`
    : isOpen
      ? null
      : `${name} is not connected. Connect a board with MicroPython or CircuitPython to see its files.`;
  return (
    <div className={styles['panel']} data-port={port}>
      <div className={`row ${styles['head']}`}>
        <PortFlag port={port} />
        <b>{name}</b>
        {view.tree === null ? null : <Facts view={view} />}
        {fails === null && job === null ? <HeadActions port={port} view={view} isStopped={isStopped} /> : null}
        {job === null ? null : (
          <>
            <span className="ellipsis">
              {job.kind === 'run'
                ? 'Running. Its output is in the log, and what you send reaches it.'
                : job.path || 'Working'}
            </span>
            <ProgressBar
              className={styles['progress']}
              label="Work on the board"
              done={job.total === null || job.total === 0 ? null : Math.min(1, job.done / job.total)}
            />
            <Button size="sm" icon={<Square />} onClick={() => stopBoardJob(port)}>
              Stop
            </Button>
          </>
        )}
      </div>
      <div role="status" className={styles['answer']}>
        {view.done === '' ? null : <p className={styles['done']}>{view.done}</p>}
      </div>
      {isStopped && job === null ? (
        <p className={styles['facts']}>
          The program of the board is stopped. It starts again when the tools are closed.
        </p>
      ) : null}
      <div role="alert" className={styles['answer']}>
        {view.failure === null ? null : <p className={styles['failure']}>{view.failure}</p>}
      </div>
      {fails === null ? <Contents port={port} view={view} isBusy={job !== null} /> : <p>{fails}</p>}
      <ConfirmDialog
        open={view.asking !== null}
        onClose={() => forgetQuestion(port)}
        title="Interrupt the board?"
        text="The board does not answer at its prompt: a program runs on it, or a line is half typed. Ctrl+C interrupts it. A soft reset starts the program again afterwards."
        action="Interrupt it"
        harmless
        onConfirm={() => view.asking?.()}
      />
    </div>
  );
}

function Facts({ view: { tree } }: { readonly view: BoardView }) {
  return (
    <span className={styles['facts']}>
      {tree?.system}
      {tree?.space == null ? '' : `, ${sizeText(tree.space.free)} free`}
    </span>
  );
}

interface HeadActionsProps extends PortProps {
  readonly view: BoardView;
  readonly isStopped: boolean;
}

function HeadActions({ port, view, isStopped }: HeadActionsProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const compared = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  if (view.tree === null) {
    return null;
  }
  return (
    <span className={styles['actions']}>
      {isStopped ? (
        <Button size="sm" icon={<RotateCcw />} onClick={() => softReset(port)}>
          Soft reset
        </Button>
      ) : null}
      <Button size="sm" icon={<Upload />} onClick={() => files.current?.click()}>
        Upload
      </Button>
      <IconButton label="Reload the files" size="sm" icon={<RefreshCw />} onClick={() => listBoard(port)} />
      <Menu
        align="end"
        items={[
          { label: 'Upload a folder…', onSelect: () => folder.current?.click() },
          { label: 'Compare a folder…', onSelect: () => compared.current?.click() },
          'separator',
          { label: 'Save all as zip', onSelect: () => downloadZip(port, '/') },
          { label: 'Put back from zip…', onSelect: () => zip.current?.click() },
          'separator',
          { label: 'Soft reset', onSelect: () => softReset(port) },
        ]}
        trigger={(props) => (
          <Button {...props} size="sm" icon={<MoreHorizontal />} aria-label="More about the files of the board" />
        )}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files for the board"
        onChange={({ currentTarget: input }) => {
          void uploadToBoard(port, pickedFiles(input.files, '/'));
          input.value = '';
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        aria-label="Folder for the board"
        onChange={({ currentTarget: input }) => {
          void uploadToBoard(port, pickedFiles(input.files, '/'));
          input.value = '';
        }}
      />
      <input
        ref={compared}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        aria-label="Folder to compare with the board"
        onChange={({ currentTarget: input }) => {
          compareWithBoard(port, pickedFiles(input.files, 'inside'));
          input.value = '';
        }}
      />
      <input
        ref={zip}
        type="file"
        hidden
        accept=".zip"
        aria-label="Zip with files of a board"
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? [];
          if (file !== undefined) {
            void putBackZip(port, file);
          }
          input.value = '';
        }}
      />
    </span>
  );
}

interface ContentsProps extends PortProps {
  readonly view: BoardView;
  readonly isBusy: boolean;
}

function Contents({ port, view, isBusy }: ContentsProps) {
  const place = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<string | null>(null);
  /** Continues after unsaved changes are dropped. */
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const { tree } = view;
  useEffect(() => {
    // The focused row was deleted, or the form of a name has closed.
    if (tree !== null && document.activeElement === document.body) {
      list.current?.focus();
    }
  }, [tree]);
  const over = useFileDrop({
    take:
      view.tree === null || isBusy
        ? null
        : (transfer) => void droppedFiles(transfer).then((local) => uploadToBoard(port, local)),
    within: place,
  });
  if (view.tree === null) {
    return (
      <div className={styles['start']}>
        <p>
          Shows the files of a board that runs MicroPython or CircuitPython. The board is asked over this port in its
          raw REPL. A running program is interrupted only after a question.
        </p>
        <Button size="sm" variant="primary" icon={<Folder />} busy={isBusy} onClick={() => listBoard(port)}>
          Show the files
        </Button>
      </div>
    );
  }
  const unlessChanged = (act: () => void) => {
    if (isChanged(view)) {
      setLeaving(() => act);
    } else {
      act();
    }
  };
  return (
    <div ref={place} className={styles['contents']} data-over={over}>
      {view.comparison === null ? null : <ComparisonView port={port} view={view} isBusy={isBusy} />}
      <div className={styles['tree']}>
        <span className="buttons">
          <Button
            size="sm"
            icon={<FilePlus />}
            disabled={isBusy}
            onClick={() => setNaming({ kind: 'file', start: '/' })}
          >
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
          <NameForm
            port={port}
            naming={naming}
            onDone={() => {
              setNaming(null);
              list.current?.focus();
            }}
          />
        )}
        {view.tree.entries.length === 0 ? <p>The board has no files.</p> : null}
        <ul ref={list} tabIndex={-1} aria-label="Files of the board">
          {unfolded(view.tree.entries, folded).map(({ path, isFolder, size }) => (
            <li
              key={path}
              style={{ '--depth': path.split('/').length - 2 } as CSSProperties}
              className={styles['entry']}
            >
              {isFolder ? (
                <button
                  type="button"
                  className={`row ${styles['name']} ${styles['file']}`}
                  aria-expanded={!folded.has(path)}
                  onClick={() => setFolded(toggled(folded, path))}
                >
                  {folded.has(path) ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
                  <span className="ellipsis">{path.split('/').at(-1)}</span>
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
                      unlessChanged(() => openBoardFile(port, path, size));
                    }
                  }}
                >
                  {path.split('/').at(-1)}
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
                    : [{ label: 'Download', onSelect: () => downloadFromBoard(port, path) }]),
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
                    aria-label={`More about ${path}`}
                  />
                )}
              />
            </li>
          ))}
        </ul>
      </div>
      {view.open === null ? null : (
        <Editor
          key={view.open.path}
          port={port}
          view={view}
          isBusy={isBusy}
          onClose={() => unlessChanged(() => closeBoardFile(port))}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Delete ${removing ?? ''}?`}
        text="It is deleted from the board, folders with everything in them. This cannot be undone."
        action="Delete"
        onConfirm={() => {
          setRemoving(null);
          removeFromBoard(port, removing ?? '');
        }}
      />
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Discard the changes?"
        text={`${view.open?.path ?? 'The file'} has changes that are not on the board.`}
        action="Discard"
        onConfirm={() => {
          setLeaving(null);
          leaving?.();
        }}
      />
    </div>
  );
}

/** Returns the entries that are below no folded folder. */
const unfolded = (entries: readonly BoardEntry[], folded: ReadonlySet<string>) =>
  entries.filter(({ path }) => ![...folded].some((folder) => path.startsWith(`${folder}/`)));

function toggled(folded: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const others = [...folded].filter((folder) => folder !== path);
  return new Set(others.length === folded.size ? [...others, path] : others);
}

interface NameFormProps extends PortProps {
  readonly naming: Naming;
  readonly onDone: () => void;
}

function NameForm({ port, naming, onDone }: NameFormProps) {
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

interface EditorProps extends ContentsProps {
  readonly onClose: () => void;
}

function Editor({ port, view, isBusy, onClose }: EditorProps) {
  const { open } = view;
  const hint = useId();
  /** True after Escape: Tab leaves the field. */
  const isLeaving = useRef(false);
  const section = useRef<HTMLElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // A touch screen would show its keyboard for the focus.
    if (globalThis.matchMedia?.('(pointer: coarse)').matches) {
      section.current?.scrollIntoView({ block: 'nearest' });
    } else {
      area.current?.focus();
    }
  }, []);
  if (open === null) {
    return null;
  }
  const changed = isChanged(view);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      saveBoardFile(port);
    } else if (event.key === 'Tab' && !isLeaving.current) {
      event.preventDefault();
      indent(event.currentTarget, event.shiftKey, (text) => typeInBoardFile(port, text));
    }
    isLeaving.current = event.key === 'Escape' || (isLeaving.current && event.key === 'Shift');
  };
  return (
    <section ref={section} className={styles['editor']} aria-label={`Editor of ${open.path}`}>
      <div className="buttons">
        <code className="ellipsis">{open.path}</code>
        {changed ? <span className={styles['facts']}>changed</span> : null}
        <Button size="sm" icon={<Save />} disabled={isBusy || !changed} onClick={() => saveBoardFile(port)}>
          Save
        </Button>
        <Button size="sm" icon={<Play />} disabled={isBusy} onClick={() => runBoardFile(port)}>
          Run
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <TextArea
        ref={area}
        className={styles['text']}
        aria-label={`Text of ${open.path}`}
        aria-describedby={hint}
        spellCheck={false}
        value={open.text}
        onBlur={() => {
          isLeaving.current = false;
        }}
        onKeyDown={onKeyDown}
        onChange={(event) => typeInBoardFile(port, event.currentTarget.value)}
      />
      <p id={hint} className={`${styles['facts']} ${styles['hint']}`}>
        Tab indents by four spaces. Press Esc, then Tab to leave the text.
      </p>
    </section>
  );
}

/** Indents as one step that Ctrl+Z takes back. */
function indent(area: HTMLTextAreaElement, isOut: boolean, typed: (text: string) => void): void {
  const { from, to, by, start, end } = indentation(area.value, area.selectionStart, area.selectionEnd, isOut);
  if (area.value.slice(from, to) === by) {
    return;
  }
  area.setSelectionRange(from, to);
  // Deprecated, and the only way that keeps the browser's own undo.
  const isDone = by === '' ? document.execCommand('delete') : document.execCommand('insertText', false, by);
  if (!isDone) {
    area.setRangeText(by);
    typed(area.value);
  }
  area.setSelectionRange(start, end);
}

function ComparisonView({ port, view: { comparison }, isBusy }: ContentsProps) {
  if (comparison === null) {
    return null;
  }
  const { fresh, changed, equal, onlyOnBoard } = comparison;
  const different = [...fresh, ...changed];
  const list = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? null : (
      <p>
        <b>{title}:</b> {paths.join(', ')}
      </p>
    );
  return (
    <section className={styles['comparison']} aria-label="Comparison with the board">
      {list(
        'New',
        fresh.map(({ path }) => path),
      )}
      {list(
        'Changed',
        changed.map(({ path }) => path),
      )}
      {list('Only on the board', onlyOnBoard)}
      <p>{counted(equal, 'file')} equal by hash. Nothing has been written.</p>
      <span className="buttons">
        {different.length === 0 ? null : (
          <Button size="sm" variant="primary" disabled={isBusy} onClick={() => void uploadToBoard(port, different)}>
            Send {counted(different.length, 'file')}
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => closeComparison(port)}>
          Close
        </Button>
      </span>
    </section>
  );
}
