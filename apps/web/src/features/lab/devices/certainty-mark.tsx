import styles from './certainty-mark.module.css';
import type { Certainty } from './device-store.ts';

/** Mark of an identification. Full: proved. Half: likely. Dashed: a guess. The caller puts words beside it. */
export function CertaintyMark({ certainty }: { readonly certainty: Certainty }) {
  return <i className={styles['mark']} data-certainty={certainty} />;
}
