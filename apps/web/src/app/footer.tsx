import { pagePaths } from '@wirebench/contract/constants';
import styles from './footer.module.css';
import { FrameLink } from './frame-links.tsx';

export function Footer() {
  return (
    <footer className={styles['footer']}>
      <div className={styles['wrap']}>
        <span>Wirebench beta</span>
        <FrameLink to={pagePaths.privacy} className={styles['link']}>
          Privacy
        </FrameLink>
        <FrameLink to={pagePaths.terms} className={styles['link']}>
          Terms
        </FrameLink>
      </div>
    </footer>
  );
}
