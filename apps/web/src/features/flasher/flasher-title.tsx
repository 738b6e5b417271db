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
        {allFamilies.map((family) => {
          // The family shown is no link: it would load the page again, without the files chosen on it.
          return family === current ? (
            <span key={family.page} aria-current="page">
              {family.name}
            </span>
          ) : (
            <a key={family.page} href={family.page}>
              {family.name}
            </a>
          );
        })}
      </nav>
    </div>
  );
}
