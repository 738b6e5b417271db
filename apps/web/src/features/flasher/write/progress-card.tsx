/** Cards that show the progress of a write, and of reading or erasing outside a write. */
import { Square } from 'lucide-react';
import { useRef } from 'react';
import { kilobytesPerSecond } from '../../../shared/format/bytes.ts';
import { clockText } from '../../../shared/format/durations.ts';
import { useBringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { useLostFocus } from '../../../shared/ui/use-lost-focus.ts';
import { Readout } from '../../../workbench/readout.tsx';
import { cancel } from '../store/flash-actions.ts';
import { pageFamily } from '../store/flasher-store.ts';
import { type FlashCardProps, FlashMap } from './flash-map.tsx';
import styles from './write-card.module.css';
import { nowText } from './write-view.ts';

export function WritingCard({ port, flash }: FlashCardProps) {
  const stop = useRef<HTMLButtonElement>(null);
  useLostFocus(stop);
  const card = useRef<HTMLElement>(null);
  useBringIntoView(card, port, true);
  const { progress, cancelling, phase } = flash;
  const restarting = phase === 'restarting';
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  const done = restarting ? 1 : part;
  return (
    <section ref={card} className={`card ${styles['card']}`} aria-label="Progress">
      <div className={styles['big']}>
        <div className={styles['now']}>
          <span className={classNames('silk', styles['accent'])}>{restarting ? 'Restarting' : 'Writing'}</span>
          <h2>{restarting ? 'Everything is written' : nowText(flash, !pageFamily().addresses.hidden)}</h2>
        </div>
        <Readout label="Done" value={done === null ? '–' : String(Math.floor(done * 100))} unit="%" />
        <Readout label="Speed" value={rateOf(progress?.speed)} unit="kB/s" />
        <Readout label="Left" value={leftOf(progress?.remaining)} unit="min" />
        <Button
          ref={stop}
          variant="danger"
          icon={<Square />}
          busy={cancelling}
          aria-disabled={restarting}
          onClick={() => void cancel(port)}
        >
          {cancelling ? 'Stopping…' : 'Stop'}
        </Button>
      </div>
      <ProgressBar label="Written and verified" done={done} />
      <div className={styles['map']}>
        <FlashMap flash={flash} hint="Do not unplug the board." />
      </div>
    </section>
  );
}

const rateOf = (speed: number | null | undefined) => (speed == null ? '–' : kilobytesPerSecond(speed));
const leftOf = (remaining: number | null | undefined) => (remaining == null ? '–' : clockText(remaining));

/** Shows the progress of reading or erasing outside a write. */
export function WorkingCard({ port, flash }: FlashCardProps) {
  const stop = useRef<HTMLButtonElement>(null);
  useLostFocus(stop);
  const { work, cancelling } = flash;
  const card = useRef<HTMLElement>(null);
  useBringIntoView(card, work?.label, true);
  const { done = null, total = null, label = '' } = work ?? {};
  const part = done === null || total === null || total === 0 ? null : done / total;
  return (
    <section ref={card} className={`card ${styles['card']}`} aria-label="Progress">
      <div className={styles['big']}>
        <div className={styles['now']}>
          <span className={classNames('silk', styles['accent'])}>{work?.kind === 'erase' ? 'Erasing' : 'Reading'}</span>
          <h2>{label}</h2>
        </div>
        <Readout label="Done" value={part === null ? '–' : String(Math.floor(part * 100))} unit="%" />
        <Button ref={stop} variant="danger" icon={<Square />} busy={cancelling} onClick={() => void cancel(port)}>
          {cancelling ? 'Stopping…' : 'Stop'}
        </Button>
      </div>
      <ProgressBar label={label} done={part} />
    </section>
  );
}
