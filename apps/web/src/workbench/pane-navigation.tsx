/** At the foot of a phone: the panes of a tool, of which one is shown at a time. */
import type { ReactNode } from 'react';
import { classNames } from '../shared/ui/class-names.ts';
import styles from './pane-navigation.module.css';

export interface PaneNavigationProps<Pane extends string> {
  readonly label: string;
  readonly panes: readonly { readonly pane: Pane; readonly label: string; readonly icon: ReactNode }[];
  readonly shown: string;
  readonly onShow: (pane: Pane) => void;
  readonly className?: string | undefined;
}

export function PaneNavigation<Pane extends string>(props: PaneNavigationProps<Pane>) {
  const { label, panes, shown, onShow, className } = props;
  return (
    <nav className={classNames(styles['navigation'], className)} aria-label={label}>
      {panes.map(({ pane, label: name, icon }) => (
        <button
          key={pane}
          type="button"
          className={classNames(styles['place'], pane === shown && styles['current'])}
          aria-current={pane === shown ? 'page' : undefined}
          onClick={() => onShow(pane)}
        >
          {icon}
          {name}
        </button>
      ))}
    </nav>
  );
}
