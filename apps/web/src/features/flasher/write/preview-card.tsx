/** Card that shows the plan of a write before anything is erased. */
import { TriangleAlert, Zap } from 'lucide-react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { roughDurationText } from '../../../shared/format/durations.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { overlapCount } from '../files/write-list.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
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
      <div className={styles['foot']}>
        <p className={`row ${styles['says']}`} role="status">
          {overlaps > 0 ? (
            <Badge tone="danger" icon={<TriangleAlert />}>
              {overlaps === 1 ? '1 overlap' : `${overlaps} overlaps`}
            </Badge>
          ) : null}
          <PreviewText flash={flash} files={list.length} faulty={faulty} overlaps={overlaps} />
        </p>
        {list.length === 0 ? null : (
          <Button
            variant={ready && plan.toWrite > 0 ? 'primary' : 'default'}
            icon={<Zap />}
            disabled={!ready}
            onClick={() => void write(port)}
          >
            {list.length === 1 ? 'Write 1 file' : `Write ${list.length} files`}
          </Button>
        )}
      </div>
    </section>
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
