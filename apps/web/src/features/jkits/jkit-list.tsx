import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import styles from './jkit-row.module.css';

export interface JkitListProps {
  readonly label: string;
  /** True: the list shows results of an earlier query. */
  readonly stale?: boolean;
  readonly children: ReactNode;
}

/** List with keyboard navigation by arrow keys, Home and End. Each row has one button with `data-row`. */
export function JkitList({ label, stale = false, children }: JkitListProps) {
  const list = useRef<HTMLUListElement>(null);
  const walk = (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const index = event.target instanceof HTMLElement ? rows.indexOf(event.target) : -1;
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (index === -1 || to === undefined) {
      return;
    }
    event.preventDefault();
    rows[to]?.focus();
  };
  return (
    <ul ref={list} className={styles['list']} aria-label={label} aria-busy={stale} onKeyDown={walk}>
      {children}
    </ul>
  );
}
