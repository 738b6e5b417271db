import { Spinner } from '../shared/ui/spinner.tsx';
import styles from './loading-page.module.css';

/** Shown while a page's code is fetched; only after 300 ms, so that a quick answer does not flicker. */
export function LoadingPage() {
  return (
    <p className={styles['loading']} role="status" data-loading="">
      <Spinner />
      Loading…
    </p>
  );
}
