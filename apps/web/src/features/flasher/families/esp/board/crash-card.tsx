/**
 * Card of a board's crash: its cause, the tasks and their stacks. The terminal shows core dumps with the same
 * component.
 */
import { useEffect, useRef } from 'react';
import { bringIntoView } from '../../../../../shared/ui/bring-into-view.ts';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { useCoreDumps } from '../../../../../workbench/crash/symbol-files.ts';
import { Card } from '../../../card.tsx';
import { useFlash } from '../../../store/flasher-store.ts';
import styles from './crash-card.module.css';

/**
 * A core dump that the user has opened from the monitor's log. Each click makes a new object, so that the card is
 * shown again.
 */
export interface OpenedDump {
  readonly dump: number;
  /** Id of the newest core dump at the time of the click. A dump that is read later replaces the opened one. */
  readonly newest: number | null;
}

interface CrashCardProps {
  readonly opened: OpenedDump | null;
}

/** Most boards have no crash. */
const loadView = () => import('../../../../../workbench/crash/view/dump-view.tsx');

export function CrashCard({ opened }: CrashCardProps) {
  const dumps = useCoreDumps();
  const isDemo = useFlash(({ source }) => source?.kind === 'demo');
  const card = useRef<HTMLDivElement>(null);
  const [newest] = dumps;
  const view = useLoaded(newest !== undefined, loadView, () => undefined);
  // Dumps read from flash scroll the card into view. Dumps that the monitor has found do so only when the user opens
  // them.
  const read = newest?.port === null ? newest.id : null;
  useEffect(() => {
    if (read !== null && view !== null) {
      bringIntoView(card.current, { toTop: true });
    }
  }, [read, view]);
  useEffect(() => {
    if (opened !== null && view !== null) {
      bringIntoView(card.current, { toTop: true });
      card.current?.focus({ preventScroll: true });
    }
  }, [opened, view]);
  const news = (
    <p role="status" className="visually-hidden">
      {read === null ? '' : 'The crash was read from the board.'}
    </p>
  );
  if (newest === undefined || view === null) {
    return news;
  }
  const chosen = opened?.newest === newest.id ? dumps.find(({ id }) => id === opened.dump) : undefined;
  const shown = chosen ?? newest;
  return (
    <div ref={card} tabIndex={-1} className={styles['card']}>
      {news}
      <Card title={shown.port === null ? 'Crash read from a board' : 'Crash in the monitor’s log'}>
        <view.DumpView key={shown.id} dump={shown} canDrop={false} isDemo={isDemo} />
      </Card>
    </div>
  );
}
