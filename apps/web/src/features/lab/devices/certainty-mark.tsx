import styles from './certainty-mark.module.css';
import type { Certainty } from './device-store.ts';

/** Full: proved. Half: likely. Dashed: a guess. Words stand beside it. */
export function CertaintyMark({ certainty }: { readonly certainty: Certainty }) {
  return <i className={styles['mark']} data-certainty={certainty} />;
}
