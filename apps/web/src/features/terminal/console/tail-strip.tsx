import { use } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from '../../../workbench/strip.module.css';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { FollowState, type FollowStateProps, HeldLines } from './follow-state.tsx';

/** Strip under the log of one port in the split view. Nothing is followed in an opened log. */
export function TailStrip(props: FollowStateProps) {
  const { isReadOnly } = use(TerminalSlotsContext);
  const isPaused = props.pausedAt !== null && !isReadOnly;
  return (
    <div className={classNames('row', styles['strip'], isPaused && styles['paused'])}>
      {isReadOnly ? <HeldLines name={props.name} /> : <FollowState {...props} />}
    </div>
  );
}
