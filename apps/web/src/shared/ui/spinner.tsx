import styles from './spinner.module.css';

/** A spinner of 14 px in the colour of the text beside it. That text states the activity. */
export function Spinner() {
  return <span className={styles['spinner']} aria-hidden="true" />;
}
