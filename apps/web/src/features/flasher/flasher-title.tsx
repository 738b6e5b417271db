/** Head of a flasher page before a board is connected: title, promise, and links to the families. */
import { allFamilies, families } from '@wirebench/boards';
import { Badge } from '../../shared/ui/badge.tsx';
import styles from './flasher-title.module.css';
import { pageFamily } from './store/flasher-store.ts';

export function FlasherTitle() {
  const current = families[pageFamily().name];
  return (
    <div className={styles['title']}>
      <h1>Firmware flasher</h1>
      {current.experimental ? <Badge tone="warning">Experimental</Badge> : null}
      <span className={styles['promise']}>Files stay in this browser. Nothing is uploaded.</span>
      <nav aria-label="Device family" className={styles['families']}>
        {allFamilies.map(({ name, page, experimental }) => (
          <a key={page} href={page} aria-current={page === current.page ? 'page' : undefined}>
            {name}
            {experimental ? <Badge tone="off">Exp</Badge> : null}
          </a>
        ))}
      </nav>
    </div>
  );
}
