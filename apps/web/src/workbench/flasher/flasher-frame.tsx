/** The page of a flasher: title, family, and two columns that become one on a narrow screen, with what goes on first. */
import { staticPages } from '@wirebench/contract/constants';
import type { ReactNode } from 'react';
import { Badge } from '../../shared/ui/badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './flasher-frame.module.css';

/** The flashers that there are, in the order in which they are offered. */
const families = [
  { name: 'Espressif', page: staticPages.espFlasher, experimental: false },
  { name: 'STM32', page: staticPages.stmFlasher, experimental: true },
  { name: 'Nordic', page: staticPages.nrfFlasher, experimental: true },
] as const;

export interface FlasherFrameProps {
  /** Address of the page that is shown. */
  readonly page: (typeof families)[number]['page'];
  /** Takes the full width above everything: a failure with its remedy. */
  readonly alert?: ReactNode;
  /** What the board is, and how it is written. */
  readonly aside: ReactNode;
  /** On one column the aside comes first: there is no board yet. */
  readonly asideFirst: boolean;
  readonly children: ReactNode;
}

export function FlasherFrame({ page, alert, aside, asideFirst, children }: FlasherFrameProps) {
  return (
    <div className={styles['frame']}>
      <div className={styles['title']}>
        <h1>Firmware flasher</h1>
        {families.some((family) => family.page === page && family.experimental) ? (
          <Badge tone="warning">Experimental</Badge>
        ) : null}
        <span className={styles['promise']}>Files stay in this browser. Nothing is uploaded.</span>
        {families.length > 1 ? <FamilyLinks page={page} /> : null}
      </div>
      {alert}
      <div className={styles['columns']}>
        <div className={classNames(styles['stack'], styles['aside'], asideFirst && styles['first'])}>{aside}</div>
        <div className={styles['stack']}>{children}</div>
      </div>
    </div>
  );
}

function FamilyLinks({ page }: Pick<FlasherFrameProps, 'page'>) {
  return (
    <nav aria-label="Device family" className={styles['families']}>
      {families.map((family) => (
        <a key={family.page} href={family.page} aria-current={family.page === page ? 'page' : undefined}>
          {family.name}
          {family.experimental ? <Badge tone="off">Exp</Badge> : null}
        </a>
      ))}
    </nav>
  );
}
