/** A crash of a board: why it crashed, its tasks and their stacks, as the terminal shows a core dump. */
import { useEffect, useRef } from 'react';
import { bringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { useCoreDumps } from '../../../workbench/crash/symbol-files.ts';
import { DumpView } from '../../../workbench/crash/view/dump-view.tsx';
import { SymbolFilesBar } from '../../../workbench/crash/view/symbol-files-bar.tsx';
import { Card } from '../../../workbench/flasher/card.tsx';
import { useFlash } from '../../../workbench/flasher/store/flasher-store.ts';
import styles from './crash-card.module.css';

/** A core dump in the monitor's log that a person has opened. A new one each time: then the card is shown. */
export interface OpenedDump {
  readonly dump: number;
  /** The newest core dump when it was opened: what is read later takes its place. */
  readonly newest: number | null;
}

interface CrashCardProps {
  readonly opened: OpenedDump | null;
}

export function CrashCard({ opened }: CrashCardProps) {
  const dumps = useCoreDumps();
  const isDemo = useFlash(({ source }) => source?.kind === 'demo');
  const card = useRef<HTMLDivElement>(null);
  const [newest] = dumps;
  // A crash that the monitor has found shows itself only when a person opens it.
  const read = newest?.port === null ? newest.id : null;
  useEffect(() => {
    if (read !== null) {
      bringIntoView(card.current, { toTop: true });
    }
  }, [read]);
  useEffect(() => {
    if (opened !== null) {
      bringIntoView(card.current, { toTop: true });
      card.current?.focus({ preventScroll: true });
    }
  }, [opened]);
  const news = (
    <p role="status" className="visually-hidden">
      {read === null ? '' : 'The crash was read from the board.'}
    </p>
  );
  if (newest === undefined) {
    return news;
  }
  const chosen = opened?.newest === newest.id ? dumps.find(({ id }) => id === opened.dump) : undefined;
  const shown = chosen ?? newest;
  return (
    <div ref={card} tabIndex={-1} className={styles['card']}>
      {news}
      <Card title={shown.port === null ? 'Crash read from a board' : 'Crash in the monitor’s log'}>
        <SymbolFilesBar canDrop={false} />
        <DumpView key={shown.id} dump={shown} canDrop={false} isDemo={isDemo} />
      </Card>
    </div>
  );
}
