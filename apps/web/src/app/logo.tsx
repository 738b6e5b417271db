import { pagePaths } from '@wirebench/contract/constants';
import { BrandMark } from '../shared/ui/brand-mark.tsx';
import { FrameLink } from './frame-links.tsx';
import styles from './logo.module.css';

export function Logo() {
  return (
    <FrameLink to={pagePaths.home} className={styles['brand']}>
      <BrandMark />
      <span>Wirebench</span> <span className={styles['beta']}>BETA</span>
    </FrameLink>
  );
}
