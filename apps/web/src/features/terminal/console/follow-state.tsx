import { ArrowDown, ArrowDownToLine } from 'lucide-react';
import { count, lines } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from './follow-state.module.css';
import { arrivedLines, heldLines, type LogName } from './log-lines.ts';

export interface FollowStateProps {
  readonly name: LogName;
  /** Number of lines ever received when following was paused. Null while the log follows the newest lines. */
  readonly pausedAt: number | null;
  /** Follows the newest lines (true), or stays at the shown ones. */
  readonly onFollow: (follow: boolean) => void;
}

/** Button that follows the newest lines of a log or pauses. It says how many lines there are, or how many are new. */
export function FollowState({ name, pausedAt, onFollow }: FollowStateProps) {
  const arrived = useBenchStatus((view) => arrivedLines(view, name));
  const fresh = pausedAt === null ? 0 : Math.max(0, arrived - pausedAt);
  return (
    <Button
      size="sm"
      variant="quiet"
      className={classNames(styles['follow'], pausedAt !== null && styles['paused'])}
      title="Auto scroll"
      aria-keyshortcuts="Shift+A"
      pressed={pausedAt === null}
      icon={pausedAt === null ? <ArrowDownToLine /> : <ArrowDown />}
      onClick={() => onFollow(pausedAt !== null)}
    >
      {pausedAt === null ? (
        <>
          <b>Following</b> <HeldLines name={name} />
        </>
      ) : (
        <>
          <b>{pausedWords(fresh)}</b> <span className={styles['jump']}>Jump to newest</span>
        </>
      )}
    </Button>
  );
}

/** Number of lines in the buffer. With a filter: of how many it shows. */
export function HeldLines({ name }: Pick<FollowStateProps, 'name'>) {
  const held = useBenchStatus((view) => heldLines(view, name));
  const shown = useBenchStatus(({ find }) => (name === 'all' ? (find?.shown ?? null) : null));
  return <span className={styles['held']}>{shown === null ? lines(held) : `${count(shown)} of ${lines(held)}`}</span>;
}

const pausedWords = (fresh: number) =>
  fresh === 0 ? 'Paused' : fresh === 1 ? '1 new line' : lines(fresh).replace(' lines', ' new lines');
