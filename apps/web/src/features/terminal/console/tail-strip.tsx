import { classNames } from '../../../shared/ui/class-names.ts';
import styles from '../../../workbench/strip.module.css';
import { FollowState, type FollowStateProps } from './follow-state.tsx';

/** Strip under the log of one port in the split view. */
export function TailStrip(props: FollowStateProps) {
  return (
    <div className={classNames('row', styles['strip'], props.pausedAt !== null && styles['paused'])}>
      <FollowState {...props} />
    </div>
  );
}
