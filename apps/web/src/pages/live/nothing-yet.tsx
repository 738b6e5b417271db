import styles from '../../features/terminal/empty-states.module.css';
import { Trace } from '../../features/terminal/trace.tsx';
import { useLive } from '../../workbench/live/live-store.ts';

/** Nothing has come yet, and no port is open there. */
export function NothingYet() {
  const host = useLive(({ tick }) => tick?.host ?? '');
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>Nothing has come yet</h2>
      <p className={styles['text']}>
        No port of {host} is open. What it receives and sends from now on is shown here as soon as one is.
      </p>
    </div>
  );
}
