import { ArrowDown, ArrowDownToLine } from 'lucide-react';
import { lines } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { clockTime } from '../../../workbench/console/row-times.ts';
import styles from '../../../workbench/strip.module.css';
import { arrivedLines, heldLines, type LogName } from './log-lines.ts';

export interface TailStripProps {
  readonly name: LogName;
  /** Number of lines ever received when following was paused. Null while the log follows the newest lines. */
  readonly pausedAt: number | null;
  readonly onFollow: () => void;
}

/** Strip that shows if the log follows the newest lines, with a button that resumes following. */
export function TailStrip({ name, pausedAt, onFollow }: TailStripProps) {
  const held = useBenchStatus((view) => heldLines(view, name));
  const arrived = useBenchStatus((view) => arrivedLines(view, name));
  const newestAt = useBenchStatus(({ status }) => (name === 'all' ? status.newestAt : null));
  if (pausedAt === null) {
    return (
      <div className={classNames('row', styles['strip'], styles['following'])}>
        <ArrowDownToLine />
        <b>Following</b> {lines(held)}
        {newestAt === null ? null : (
          <span className={classNames(styles['end'], styles['newest'])}>newest {clockTime(newestAt)}</span>
        )}
      </div>
    );
  }
  const fresh = Math.max(0, arrived - pausedAt);
  return (
    <div className={classNames('row', styles['strip'], styles['paused'])}>
      <ArrowDown />
      <b>{fresh === 1 ? '1 new line' : `${lines(fresh).replace(' lines', ' new lines')}`}</b> Follow is paused
      <span className={styles['end']}>
        <Button size="sm" onClick={onFollow}>
          Jump to newest
        </Button>
        <span className={styles['hint']}>
          <Kbd>⇧A</Kbd>
        </span>
      </span>
    </div>
  );
}
