import styles from './release-manager.module.css';

/** Appears after a moment, so that a quick answer does not flicker. */
export function LoadingProjects() {
  return (
    <div className={styles['loading']} role="status">
      <span aria-hidden="true" className={`card ${styles['bar']}`} />
      <span aria-hidden="true" className={`card ${styles['bar']}`} />
      <span aria-hidden="true" className={`card ${styles['bar']}`} />
      <p>Loading projects…</p>
    </div>
  );
}
