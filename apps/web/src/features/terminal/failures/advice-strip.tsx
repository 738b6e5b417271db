/** A strip of advice: what was noticed on a port in one line, what helps, and *Not now*. */
import type { PortNumber } from '@wirebench/serial';
import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { LevelIcon, type MessageLevel } from '../../../shared/ui/level-icon.tsx';
import { sayAdvice } from './advice-store.ts';
import styles from './advice-strip.module.css';

export interface AdviceStripProps {
  readonly port: PortNumber;
  readonly level?: MessageLevel;
  /** Replaces the icon of the level. */
  readonly icon?: ReactNode;
  /** Sentence that says what was noticed. */
  readonly title: string;
  /** Stands behind the title. */
  readonly text?: string;
  /** Stands below. */
  readonly children?: ReactNode;
  /** At most two buttons and the amber one. */
  readonly actions?: ReactNode;
  readonly onRest: () => void;
}

/** Nothing in it takes the focus. It is announced once. */
export function AdviceStrip({ port, level = 'info', icon, title, text, children, actions, onRest }: AdviceStripProps) {
  useEffect(() => sayAdvice(title), [title]);
  return (
    <section className={classNames(styles['strip'], styles[level])} aria-label="Advice" data-port={port}>
      {icon ?? <LevelIcon level={level} />}
      <div className={styles['text']}>
        <p>
          <b>{title}</b> {text}
        </p>
        {children}
      </div>
      {actions ? <div className={styles['actions']}>{actions}</div> : null}
      <span className={styles['rest']}>
        <IconButton label="Not now" size="sm" variant="quiet" icon={<X />} onClick={onRest} />
      </span>
    </section>
  );
}
