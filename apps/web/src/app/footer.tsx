import { pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import styles from './footer.module.css';

export function Footer() {
  return (
    <footer className={styles['footer']}>
      <div className={styles['wrap']}>
        <span>Wirebench beta</span>
        <Link to={pagePaths.privacy} className={styles['link']}>
          Privacy
        </Link>
        <Link to={pagePaths.terms} className={styles['link']}>
          Terms
        </Link>
      </div>
    </footer>
  );
}
