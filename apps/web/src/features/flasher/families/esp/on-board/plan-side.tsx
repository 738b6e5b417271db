/** The plan beside the editor of what the board holds: what will be written, and afterwards what was. */
import { isNvs, type Partition } from '@wirebench/flasher/esp';
import type { PortNumber } from '@wirebench/serial';
import { Download, Undo2 } from 'lucide-react';
import { saveFile } from '../../../../../shared/files/save-file.ts';
import { counted } from '../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../../shared/ui/icon-button.tsx';
import { useAnswer } from '../../../answer/use-answer.ts';
import { secondText } from '../../../board/as-it-was.ts';
import { ReadBefore, readPlace, useReadOutdated } from '../../../board/opened-place.tsx';
import { useLocked } from '../../../board/use-can-read.ts';
import { isReady } from '../../../state/flash-state.ts';
import {
  changesOf,
  dropChanges,
  type PlannedChange,
  setChange,
  useWritten,
  type WrittenChanges,
  watchChanges,
} from '../../../store/board-changes.ts';
import { contentsOf } from '../../../store/board-contents.ts';
import { backupName } from '../../../store/contents-actions.ts';
import { askPlannedErase } from '../../../store/erase-request.ts';
import { resume, write } from '../../../store/flash-actions.ts';
import { flashOf } from '../../../store/flasher-store.ts';
import { isAgreed, planAtOnce, shownPlan } from '../../../store/plan-actions.ts';
import { writesAhead } from '../../../store/running-work.ts';
import { FindingList } from '../../../write/finding-list.tsx';
import { NvsBackupOffer } from '../write/nvs-backup-offer.tsx';
import styles from './on-board.module.css';

export interface PlanSideProps {
  readonly port: PortNumber;
  /** Partition that is open; null for an entry without bytes. */
  readonly partition: Partition | null;
}

export function PlanSide({ port, partition }: PlanSideProps) {
  const { view, flash, changes } = useAnswer();
  useReadOutdated(partition?.name ?? null, () => partition !== null && void readOutdated(port, partition));
  const written = useWritten(port);
  const locked = useLocked();
  const isPlan = changes.length > 0;
  const total = changes.reduce((sum, { count }) => sum + count, 0);
  const { plan, phase } = flash;
  const isOver = phase === 'writing' || phase === 'restarting';
  return (
    <aside
      className={styles['plan']}
      aria-label={isPlan || written === null ? 'Plan of the changes' : 'Written changes'}
    >
      <div className={`row ${styles['planHead']}`}>
        <h3>{isPlan || written === null ? 'Plan' : 'Written'}</h3>
        {isPlan ? (
          <small>{counted(total, 'change')}</small>
        ) : written === null ? null : (
          <time dateTime={new Date(written.at).toISOString()}>{secondText(written.at)}</time>
        )}
        {isPlan && !locked ? (
          <Button size="sm" variant="quiet" onClick={() => dropChanges(port)}>
            Undo all
          </Button>
        ) : null}
      </div>
      {isPlan ? (
        <>
          <Changes changes={changes} mark="changed" onUndo={locked ? null : (name) => setChange(port, name, null)} />
          {plan === null || isOver ? null : <FindingList plan={plan} said={view.says ?? []} />}
          {isOver || phase === 'failed' || phase === 'cancelled' ? null : <NvsBackupOffer narrow />}
          <p>
            Write is at the top<span className={styles['keys']}>, or Ctrl+Enter</span>. The editor stays open.
          </p>
        </>
      ) : written === null ? (
        <p>Nothing is changed. What you change stands here before it is written.</p>
      ) : (
        <Written port={port} written={written} />
      )}
      <ReadBefore port={port} place={partition} />
    </aside>
  );
}

interface ChangesProps {
  readonly changes: readonly PlannedChange[];
  readonly mark: 'changed' | 'written';
  /** Takes the change of a partition back. Null: it cannot be. */
  readonly onUndo: ((name: string) => void) | null;
}

function Changes({ changes, mark, onUndo }: ChangesProps) {
  return changes.map(({ change: { name }, title, what, entries, note }) => (
    <div key={name} className={styles['change']}>
      <span className={styles['square']} data-mark={mark} />
      <b>{title ?? name}</b>
      {onUndo === null ? (
        <span />
      ) : (
        <IconButton label={`Undo ${name}`} size="sm" variant="quiet" icon={<Undo2 />} onClick={() => onUndo(name)} />
      )}
      <ul>
        {(entries.length === 0 ? [what] : entries).map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
      {note === null ? null : <small>{note}</small>}
    </div>
  ));
}

function Written({
  port,
  written: { at, changes, before },
}: {
  readonly port: PortNumber;
  readonly written: WrittenChanges;
}) {
  return (
    <>
      <Changes changes={changes} mark="written" onUndo={null} />
      <p>
        Read back by hash, and equal. Change something else to begin the next plan.
        {before.length === 0 ? '' : ' The backup of before:'}
      </p>
      {before.map(({ change: { name, range }, bytes }) => {
        const file = backupName(port, name, range, new Date(at));
        return (
          <Button
            key={name}
            size="sm"
            icon={<Download />}
            className={styles['backup']}
            aria-label={`Save ${file}`}
            onClick={() => saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>]), file)}
          >
            <span className="ellipsis">{file}</span>
          </Button>
        );
      })}
    </>
  );
}

/** Longest time in which the view makes its edits again, in milliseconds. */
const rebaseTimeout = 2_000;

/** A write of keys that was asked for goes on: each key is an edit of its own, whatever the program has stored since. */
async function readOutdated(port: PortNumber, partition: Partition): Promise<void> {
  const isWanted = flashOf(port).held || writesAhead.has(port);
  await readPlace(port, partition);
  const md5 = contentsOf(port).entries.get(partition.offset)?.md5;
  if (!isWanted || !isNvs(partition) || md5 === undefined || !(await isRebased(port, partition.name, md5))) {
    return;
  }
  await planAtOnce(port);
  if (isAgreed(null, flashOf(port).plan)) {
    await write(port);
  }
}

/** Resolves with true once the change of the partition is made of these contents. */
function isRebased(port: PortNumber, name: string, md5: string): Promise<boolean> {
  const isDone = () => changesOf(port).some(({ change }) => change.name === name && change.basis === md5);
  return new Promise((resolve) => {
    const end = (done: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(done);
    };
    const stop = watchChanges(() => isDone() && end(true));
    const timer = setTimeout(() => end(false), rebaseTimeout);
    if (isDone()) {
      end(true);
    }
  });
}

/** Writes the planned changes from the keyboard. A plan that is still being made is waited for. */
export async function writeChanges(port: PortNumber): Promise<void> {
  if (changesOf(port).length === 0) {
    return;
  }
  const { phase } = flashOf(port);
  if (changesOf(port).some(({ isWholeErase }) => isWholeErase)) {
    askPlannedErase();
    return;
  }
  if (phase === 'running' || phase === 'done') {
    await resume(port);
    return;
  }
  const agreed = shownPlan(port);
  if (phase === 'planning' || phase === 'detected') {
    await planAtOnce(port);
  }
  if (isReady(flashOf(port)) && isAgreed(agreed, flashOf(port).plan)) {
    await write(port);
  }
}
