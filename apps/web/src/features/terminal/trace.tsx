import styles from './empty-states.module.css';

/** Drawing of a UART line: idle, one start bit, and dashed bits that are not sent yet. */
export function Trace() {
  return (
    <svg className={styles['trace']} viewBox="0 0 360 34" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M0 1.5H96V32H114V1.5H168V32H180" strokeWidth="1.5" />
      <path d="M180 32H186V1.5H204V32H222V1.5H360" strokeWidth="1.5" strokeDasharray="3 3" />
    </svg>
  );
}
