import styles from './spinner.module.css';

/** 14 px, in the colour of the text beside it. Says nothing by itself: the text does. */
export function Spinner() {
  return <span className={styles['spinner']} aria-hidden="true" />;
}
