import { allFamilies } from '@wirebench/boards';
import { useRef } from 'react';
import { Badge } from '../../shared/ui/badge.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import styles from './flasher-chooser.module.css';

export interface FlasherChooserProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for the chip family. Each flasher is a separate document, so these are plain links. */
export function FlasherChooser({ open, onClose }: FlasherChooserProps) {
  const first = useRef<HTMLAnchorElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title="Which chip family?" size="sm" initialFocus={first}>
      <ul className={`stack ${styles['families']}`}>
        {allFamilies.map(({ name, models, experimental, page }, index) => (
          <li key={page}>
            <a href={page} ref={index === 0 ? first : null} className={styles['family']}>
              <b>{name}</b>
              {experimental ? <Badge tone="warning">Experimental</Badge> : <span />}
              <small>{models}</small>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
