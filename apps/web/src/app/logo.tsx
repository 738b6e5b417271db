import { pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import styles from './logo.module.css';

export function Logo() {
  return (
    <Link to={pagePaths.home} className={styles['brand']}>
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="square"
        aria-hidden="true"
      >
        <path d="M2.5 5v14h6.4V11h6.2v8h6.4V5" />
      </svg>
      <span>Wirebench</span> <span className={styles['beta']}>BETA</span>
    </Link>
  );
}
