import { pagePaths } from '@wirebench/contract/constants';
import { useFramePathname } from './frame-links.tsx';
import styles from './skip-link.module.css';

/** Past header and navigation: to the page's content, in the terminal to its send field. */
export function SkipLink() {
  const pathname = useFramePathname();
  const [target, text] =
    pathname === pagePaths.uart ? ['#skip-target', 'Skip to the send field'] : ['#main', 'Skip to content'];
  return (
    <a href={target} className={styles['skip']}>
      {text}
    </a>
  );
}
