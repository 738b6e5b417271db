/** Card that shows the plan of a write before anything is erased. */
import type { PortNumber } from '@wirebench/serial';
import { TriangleAlert, Zap } from 'lucide-react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { roughDurationText } from '../../../shared/format/durations.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { overlapCount } from '../files/write-list.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
import { type PlannedChange, setChange, useChanges } from '../store/board-changes.ts';
import { write } from '../store/flash-actions.ts';
import { pageFamily } from '../store/flasher-store.ts';
import { FindingList } from './finding-list.tsx';
import { type FlashCardProps, FlashMap, useWriteList } from './flash-map.tsx';
import { PythonFiles } from './python-files.tsx';
import styles from './write-card.module.css';

export function PreviewCard({ port, flash }: FlashCardProps) {
  const list = useWriteList();
  const overlaps = overlapCount(list);
  const { plan } = flash;
  const changes = useChanges(port);
  if (list.length === 0 && flash.board === null) {
    return null;
  }
  const faulty = list.some(({ typed }) => typed.fault !== null);
  const ready = isReady(flash) && plan !== null && plan.refusals.length === 0 && !faulty;
  return (
    <section className={`card ${styles['card']}`} aria-label="Plan">
      <FlashMap flash={flash} />
      {isReady(flash) ? <PythonFiles port={port} when="before" /> : null}
      {plan === null ? null : <FindingList port={port} plan={plan} />}
      {changes.length === 0 ? null : <PlannedChanges port={port} changes={changes} />}
      <div className={styles['foot']}>
        <p className={`row ${styles['says']}`} role="status">
          {overlaps > 0 ? (
            <Badge tone="danger" icon={<TriangleAlert />}>
              {overlaps === 1 ? '1 overlap' : `${overlaps} overlaps`}
            </Badge>
          ) : null}
          <PreviewText flash={flash} files={list.length + changes.length} faulty={faulty} overlaps={overlaps} />
        </p>
        {list.length + changes.length === 0 ? null : (
          <Button
            variant={ready && plan.toWrite > 0 ? 'primary' : 'default'}
            icon={<Zap />}
            disabled={!ready}
            onClick={() => void write(port)}
          >
            {writeLabel(list.length, changes)}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Names what the button writes: files, changes to what the board holds, or both. */
function writeLabel(files: number, changes: readonly PlannedChange[]): string {
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    files === 0 ? '' : files === 1 ? '1 file' : `${files} files`,
    changed === 0 ? '' : changed === 1 ? '1 change' : `${changed} changes`,
  ];
  return `Write ${parts.filter((part) => part !== '').join(' and ')}`;
}

interface PlannedChangesProps {
  readonly port: PortNumber;
  readonly changes: readonly PlannedChange[];
}

function PlannedChanges({ port, changes }: PlannedChangesProps) {
  return (
    <ul className={styles['changes']} aria-label="Planned changes">
      {changes.map(({ change: { name }, entries, note }) => (
        <li key={name} className="row">
          <b>{name}</b>
          <span className={styles['says']}>{[...entries, ...(note === null ? [] : [note])].join(' · ')}</span>
          <Button size="sm" variant="quiet" aria-label={`Undo ${name}`} onClick={() => setChange(port, name, null)}>
            Undo
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface PreviewTextProps {
  readonly flash: FlashState;
  readonly files: number;
  readonly faulty: boolean;
  readonly overlaps: number;
}

function PreviewText({ flash, files, faulty, overlaps }: PreviewTextProps) {
  const { plan, phase } = flash;
  const connected = isReady(flash) || phase === 'planning' || phase === 'working';
  if (phase === 'planning') {
    return (
      <>
        <Spinner /> Comparing with what is on the board…
      </>
    );
  }
  if (phase === 'working') {
    return <>{flash.work?.kind === 'erase' ? 'The board is being erased.' : 'The board is being read.'}</>;
  }
  if (files === 0) {
    return <>Add the files to write.</>;
  }
  if (faulty) {
    const what = overlaps > 0 ? 'the overlap' : `the ${pageFamily().addresses.word}`;
    return <>{connected ? `Fix ${what} to start.` : `Fix ${what} and connect a board to start.`}</>;
  }
  if (!connected) {
    return <>{waitingText(phase)}</>;
  }
  if (plan === null) {
    return null;
  }
  if (plan.refusals.length > 0) {
    return <>Fix this to continue.</>;
  }
  return <>{planText(plan)}</>;
}

function waitingText(phase: FlashState['phase']): string {
  switch (phase) {
    case 'connecting':
      return 'Connecting…';
    case 'releasing':
      return 'Restarting the board…';
    case 'running':
      return 'Connect the board again to start.';
    default:
      return 'Connect a board to start.';
  }
}

function planText({ toWrite, same, duration, eraseAll, regions }: NonNullable<FlashState['plan']>): string {
  if (toWrite === 0) {
    return `All ${sizeText(same)} is already there: nothing needs to be written.`;
  }
  const there = same === 0 ? '' : `, ${sizeText(same)} is already there`;
  const erased = eraseAll ? ' The whole flash is erased first.' : '';
  const { notCompared } = pageFamily().words;
  const hint =
    eraseAll || notCompared === undefined || regions.some((region) => region.same !== null) ? '' : ` ${notCompared}`;
  return `${sizeText(toWrite)} to write${there}. This takes ${roughDurationText(duration)}.${erased}${hint}`;
}
