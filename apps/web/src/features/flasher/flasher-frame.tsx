/** Frame of a flasher page: title, family links, and two columns. On a narrow screen the columns become one. */
import type { FlasherFamily } from '@wirebench/contract/constants';
import { type ReactNode, useRef } from 'react';
import { Badge } from '../../shared/ui/badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { allFamilies, families } from '../../workbench/families.ts';
import styles from './flasher-frame.module.css';

export interface FlasherFrameProps {
  readonly family: FlasherFamily;
  /** Shown beside the title. */
  readonly actions?: ReactNode;
  /** Shown at full width above the columns: a failure with its remedy. */
  readonly alert?: ReactNode;
  /** The side column: the board, and the settings to write it with. */
  readonly aside: ReactNode;
  /** True: in one column the aside comes first, because no board is known yet. */
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
