import { ArrowDown, ArrowDownToLine } from 'lucide-react';
import { count, lines } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { clockTime } from '../../../workbench/console/row-times.ts';
import styles from './follow-state.module.css';
import { arrivedLines, heldLines, type LogName } from './log-lines.ts';

export interface FollowStateProps {
  readonly name: LogName;
  /** Number of lines ever received when following was paused. Null while the log follows the newest lines. */
  readonly pausedAt: number | null;
  readonly onFollow: () => void;
}

/** Shows if a log follows the newest lines, how many it has, and a button that resumes following. */
export function FollowState({ name, pausedAt, onFollow }: FollowStateProps) {
  const arrived = useBenchStatus((view) => arrivedLines(view, name));
  const newestAt = useBenchStatus(({ status }) => (name === 'all' ? status.newestAt : null));
  if (pausedAt === null) {
    return (
      <>
        <ArrowDownToLine className={styles['following']} />
        <b>Following</b> <HeldLines name={name} />
        {newestAt === null ? null : <span className={styles['newest']}>newest {clockTime(newestAt)}</span>}
      </>
    );
  }
  const fresh = Math.max(0, arrived - pausedAt);
  return (
    <>
      <ArrowDown />
      <b>{fresh === 1 ? '1 new line' : `${lines(fresh).replace(' lines', ' new lines')}`}</b> Follow is paused
      <Button size="sm" onClick={onFollow}>
        Jump to newest
      </Button>
      <span className={styles['hint']}>
        <Kbd>⇧A</Kbd>
      </span>
    </>
  );
}

/** Number of lines in the buffer. With a filter: of how many it shows. */
export function HeldLines({ name }: Pick<FollowStateProps, 'name'>) {
  const held = useBenchStatus((view) => heldLines(view, name));
  const shown = useBenchStatus(({ find }) => (name === 'all' ? (find?.shown ?? null) : null));
  return <span className={styles['held']}>{shown === null ? lines(held) : `${count(shown)} of ${lines(held)}`}</span>;
}
