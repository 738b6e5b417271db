/** Files of a MicroPython board: the tree, an editor, upload and download, and a comparison with a local folder. */
import { Square } from 'lucide-react';
import { useEffect } from 'react';
import { sizeText } from '../../../../shared/format/bytes.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../../shared/ui/progress-bar.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import { BoardActions } from './board-actions.tsx';
import { BoardContents } from './board-contents.tsx';
import styles from './board-files-panel.module.css';
import type { PortProps } from './board-part.ts';
import { type BoardView, forgetQuestion, listBoard, stopBoardJob, useBoard } from './board-store.ts';

export function BoardFilesPanel() {
  const port = useTerminalSession((session) => session.selectedPort);
  return <BoardOfPort key={port} port={port} />;
}

function BoardOfPort({ port }: PortProps) {
  const view = useBoard(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const isRemote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  const { job, isStopped, isAtPrompt, banner } = useBenchStatus(({ boards }) => boards[port]);
  const isPython = useBenchStatus(({ advice }) => advice[port].isPython);
  const connectedAt = useBenchStatus(({ status }) => status.ports[port].connectedAt);
  const isRunning = job?.kind === 'run';
  const isAsked = view.connectedAt === connectedAt;
  const canList = isOpen && !isRemote && isAtPrompt && (isPython || banner !== null);
  useEffect(() => {
    if (canList && !isAsked) {
      listBoard(port);
    }
  }, [canList, isAsked, port]);
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
        {fails === null ? <BoardActions port={port} view={view} isStopped={isStopped} isBusy={job !== null} /> : null}
        {job === null ? null : (
          <>
            <span className="ellipsis">
              {isRunning ? 'Running. Its output is in the log, and what you send reaches it.' : job.path || 'Working'}
            </span>
            <ProgressBar
              className={styles['progress']}
              label="Work on the board"
              done={job.total === null || job.total === 0 ? null : Math.min(1, job.done / job.total)}
            />
            {isRunning && view.open !== null ? null : (
              <Button size="sm" icon={<Square />} onClick={() => stopBoardJob(port)}>
                Stop
              </Button>
            )}
          </>
        )}
      </div>
      <div role="status" className={styles['answer']}>
        {view.done === '' ? null : <p className={styles['done']}>{view.done}</p>}
      </div>
      {isStopped && job === null ? (
        <p className={styles['facts']}>
          The program of the board is stopped. It starts again when you leave Board files.
        </p>
      ) : null}
      <div role="alert" className={styles['answer']}>
        {view.failure === null ? null : <p className={styles['failure']}>{view.failure}</p>}
      </div>
      {fails === null ? (
        <BoardContents port={port} view={view} isBusy={job !== null} isRunning={isRunning} />
      ) : (
        <p>{fails}</p>
      )}
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
