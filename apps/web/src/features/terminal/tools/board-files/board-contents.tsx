/** Tree, comparison and editor of a board, and the place to which files are dropped. */
import { Eye, Folder, Play, Save, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { takeDropped } from '../../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog.tsx';
import { Switch } from '../../../../shared/ui/switch.tsx';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import styles from './board-files-panel.module.css';
import type { BoardPartProps, PortProps } from './board-part.ts';
import {
  closeBoardFile,
  closeComparison,
  isChanged,
  listBoard,
  openBoardFile,
  runBoardFile,
  saveBoardFile,
  stopBoardJob,
  typeInBoardFile,
  uploadToBoard,
} from './board-store.ts';
import { BoardTree } from './board-tree.tsx';
import {
  keepBoards,
  overwriteChanged,
  setAutomatic,
  setRestarts,
  stopWatching,
  useBoardWatch,
  writeSaved,
} from './board-watch.ts';

interface BoardContentsProps extends BoardPartProps {
  /** True: the job is a program that runs. */
  readonly isRunning: boolean;
}

/** Differences between local files and the board, and *Send* for them. */
function BoardComparison({ port, view: { comparison }, isBusy }: BoardPartProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The tree may have been scrolled away from it.
    if (comparison !== null) {
      section.current?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [comparison]);
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
    <section ref={section} className={styles['comparison']} aria-label="Comparison with the board">
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

interface BoardWatchRowProps extends PortProps {
  /** True: a job is under way, so that no other can begin. */
  readonly isBusy: boolean;
}

/** The folder that is watched for a port: what happens to saved files, and the question about files changed on the board. */
export function BoardWatchRow({ port, isBusy }: BoardWatchRowProps) {
  const watch = useBoardWatch(port);
  if (watch === undefined) {
    return null;
  }
  const { folder, isAutomatic, restarts, saved, changedOnBoard } = watch;
  const names = (of: typeof saved) => of.map(({ path }) => path).join(', ');
  return (
    <section className={styles['comparison']} aria-label="Watched folder">
      <div className={`row ${styles['head']}`}>
        <Eye aria-hidden />
        <span>
          Watching <b>{folder}</b>
        </span>
        <Switch
          label="Write each saved file by itself"
          checked={isAutomatic}
          onChange={(next) => setAutomatic(port, next)}
        />
        <Switch label="Soft reset afterwards" checked={restarts} onChange={(next) => setRestarts(port, next)} />
        <Button size="sm" variant="quiet" onClick={() => stopWatching(port)}>
          Stop watching
        </Button>
      </div>
      <div role="status">
        {saved.length === 0 ? null : (
          <span className="buttons">
            <span>Saved, and not on the board yet: {names(saved)}</span>
            <Button size="sm" variant="primary" disabled={isBusy} onClick={() => void writeSaved(port)}>
              Write
            </Button>
          </span>
        )}
      </div>
      <div role="alert">
        {changedOnBoard.length === 0 ? null : (
          <span className="buttons">
            <span>Changed on the board since it was read, so it was not written over: {names(changedOnBoard)}</span>
            <Button size="sm" disabled={isBusy} onClick={() => void overwriteChanged(port)}>
              Write over it
            </Button>
            <Button size="sm" variant="quiet" onClick={() => keepBoards(port)}>
              Keep the board’s
            </Button>
          </span>
        )}
      </div>
    </section>
  );
}

interface BoardEditorProps extends BoardPartProps {
  /** True: a program runs. *Stop* then takes the place of *Run*. */
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

const loadEditor = () => import('./code-editor.ts');

/** Text of a file on the board, with *Save* and *Run*. */
function BoardEditor({ port, view, isBusy, isRunning, onClose }: BoardEditorProps) {
  const { open } = view;
  const section = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const editor = useLoaded(true, loadEditor, onClose);
  const path = open?.path ?? null;
  const text = open?.text ?? null;
  const textNow = useEffectEvent(() => text ?? '');
  useEffect(() => {
    if (editor === null || place.current === null || path === null) {
      return;
    }
    const remove = editor.mountEditor(place.current, port, path, textNow(), {
      onType: typeInBoardFile,
      onSave: saveBoardFile,
    });
    // A touch screen would show its keyboard for the focus.
    if (globalThis.matchMedia?.('(pointer: coarse)').matches) {
      section.current?.scrollIntoView({ block: 'nearest' });
    } else {
      editor.focusEditor(port);
    }
    return remove;
  }, [editor, port, path]);
  useEffect(() => {
    if (text !== null) {
      editor?.showInEditor(port, text);
    }
  }, [editor, port, text]);
  if (open === null) {
    return null;
  }
  const changed = isChanged(view);
  return (
    <section
      ref={section}
      className={styles['editor']}
      aria-label={`Editor of ${open.path}`}
      aria-busy={editor === null}
    >
      <div className="buttons">
        <code className="ellipsis">{open.path}</code>
        {changed ? <span className={styles['facts']}>changed</span> : null}
        <Button size="sm" icon={<Save />} disabled={isBusy || !changed} onClick={() => saveBoardFile(port)}>
          Save
        </Button>
        {isRunning ? (
          <Button
            size="sm"
            icon={<Square />}
            onClick={({ detail }) => {
              // The second click of a double click on Run is no wish to stop.
              if (detail < 2) {
                stopBoardJob(port);
              }
            }}
          >
            Stop
          </Button>
        ) : (
          <Button size="sm" icon={<Play />} disabled={isBusy} onClick={() => runBoardFile(port)}>
            Run
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <div ref={place} className={styles['text']} />
      {editor === null ? null : (
        <p id={editor.editorHintId} className={`${styles['facts']} ${styles['hint']}`}>
          Tab indents. Press Esc, then Tab to leave the text. Ctrl+F finds.
        </p>
      )}
    </section>
  );
}

export function BoardContents({ port, view, isBusy, isRunning }: BoardContentsProps) {
  const place = useRef<HTMLDivElement>(null);
  /** Continues after unsaved changes are dropped. */
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const over = useFileDrop({
    take:
      view.tree === null || isBusy
        ? null
        : (transfer) => void takeDropped(transfer, (local) => uploadToBoard(port, local)),
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
      <BoardWatchRow port={port} isBusy={isBusy} />
      {view.comparison === null ? null : <BoardComparison port={port} view={view} isBusy={isBusy} />}
      <div className={styles['columns']}>
        <BoardTree
          port={port}
          view={view}
          isBusy={isBusy}
          entries={view.tree.entries}
          onOpen={(path, size) => unlessChanged(() => openBoardFile(port, path, size))}
        />
        {view.open === null ? null : (
          <BoardEditor
            key={view.open.path}
            port={port}
            view={view}
            isBusy={isBusy}
            isRunning={isRunning}
            onClose={() => unlessChanged(() => closeBoardFile(port))}
          />
        )}
      </div>
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
