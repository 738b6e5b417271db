/** A part of the page that is one line until it is opened: its name, one sentence, and a few buttons. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './fold.module.css';

export interface FoldProps {
  readonly title: string;
  /** Shown behind the title: what the part contains, in one line. */
  readonly summary?: ReactNode;
  /** Shown at the right end of the line. */
  readonly actions?: ReactNode;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
  /** True: a frame of its own. False: a row of the frame around it. */
  readonly framed?: boolean;
  /** Content while the part is open. */
  readonly children: ReactNode;
}

export function Fold({ title, summary, actions, open, onToggle, framed = false, children }: FoldProps) {
  const body = useId();
  return (
    <section className={classNames(styles['fold'], framed && 'card')} aria-label={title}>
      <div className={styles['line']}>
        <h2 className={styles['title']}>
          <button
            type="button"
            className={styles['toggle']}
            aria-expanded={open}
            aria-controls={open ? body : undefined}
            onClick={() => onToggle(!open)}
          >
            <ChevronRight />
            {title}
          </button>
        </h2>
        <div className={`ellipsis ${styles['summary']}`}>{summary}</div>
        {actions === undefined || actions === null ? null : <div className={styles['actions']}>{actions}</div>}
      </div>
      {open ? <div id={body}>{children}</div> : null}
    </section>
  );
}
