/** The page of a flasher: title, family, and two columns that become one on a narrow screen, with what goes on first. */
import type { FlasherFamily } from '@wirebench/contract/constants';
import { type ReactNode, useRef } from 'react';
import { Badge } from '../../shared/ui/badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { allFamilies, families } from './families.ts';
import styles from './flasher-frame.module.css';

export interface FlasherFrameProps {
  /** Whose page is shown. */
  readonly family: FlasherFamily;
  /** Beside the title. */
  readonly actions?: ReactNode;
  /** Takes the full width above everything: a failure with its remedy. */
  readonly alert?: ReactNode;
  /** What the board is, and how it is written. */
  readonly aside: ReactNode;
  /** On one column the aside comes first: there is no board yet. */
  readonly asideFirst: boolean;
  readonly children: ReactNode;
}

export function FlasherFrame({ family, actions, alert, aside, asideFirst, children }: FlasherFrameProps) {
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  return (
    <div ref={root} className={styles['frame']}>
      <div className={styles['title']}>
        <h1>Firmware flasher</h1>
        {families[family].experimental ? <Badge tone="warning">Experimental</Badge> : null}
        <span className={styles['promise']}>Files stay in this browser. Nothing is uploaded.</span>
        {actions}
        <FamilyLinks current={family} />
      </div>
      {alert}
      <div className={styles['columns']}>
        <div className={classNames(styles['stack'], styles['aside'], asideFirst && styles['first'])}>{aside}</div>
        <div className={styles['stack']}>{children}</div>
      </div>
    </div>
  );
}

function FamilyLinks({ current }: { readonly current: FlasherFamily }) {
  return (
    <nav aria-label="Device family" className={styles['families']}>
      {allFamilies.map(({ name, page, experimental }) => (
        <a key={page} href={page} aria-current={page === families[current].page ? 'page' : undefined}>
          {name}
          {experimental ? <Badge tone="off">Exp</Badge> : null}
        </a>
      ))}
    </nav>
  );
}
