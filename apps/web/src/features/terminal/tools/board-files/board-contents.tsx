/** Tree, comparison and editor of a board, and the place to which files are dropped. */
import { Folder } from 'lucide-react';
import { useRef, useState } from 'react';
import { takeDropped } from '../../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog.tsx';
import { BoardComparison } from './board-comparison.tsx';
import { BoardEditor } from './board-editor.tsx';
import styles from './board-files-panel.module.css';
import type { BoardPartProps } from './board-part.ts';
import { closeBoardFile, isChanged, listBoard, openBoardFile, uploadToBoard } from './board-store.ts';
import { BoardTree } from './board-tree.tsx';

interface BoardContentsProps extends BoardPartProps {
  /** True: the job is a program that runs. */
  readonly isRunning: boolean;
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
      {view.comparison === null ? null : <BoardComparison port={port} view={view} isBusy={isBusy} />}
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
