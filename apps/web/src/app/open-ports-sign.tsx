import { pagePaths } from '@wirebench/contract/constants';
import { useSyncExternalStore } from 'react';
import { openPorts } from '../workbench/open-ports.ts';
import { FrameLink, useFramePathname } from './frame-links.tsx';
import styles from './open-ports-sign.module.css';

/** Link to the terminal on other pages, while ports are open there. */
export function OpenPortsSign() {
  const count = useSyncExternalStore(openPorts.subscribe, openPorts.count);
  const pathname = useFramePathname();
  if (count === 0 || pathname === pagePaths.uart) {
    return null;
  }
  return (
    <FrameLink to={pagePaths.uart} className={styles['sign']}>
      {count === 1 ? '1 port open' : `${count} ports open`}
    </FrameLink>
  );
}
