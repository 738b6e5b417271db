import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { LevelIcon, type MessageLevel } from './level-icon.tsx';
import styles from './notice.module.css';

export interface NoticeProps {
  readonly level: MessageLevel;
  /** The event, in one sentence. */
  readonly title?: ReactNode;
  /** The next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** A message in the page. A screen reader announces errors when they appear. */
export function Notice({ level, title, children, action }: NoticeProps) {
  return (
    <div className={classNames(styles['notice'], styles[level])} role={level === 'error' ? 'alert' : undefined}>
      <LevelIcon level={level} />
      <div className={styles['text']}>
        {title ? <b>{title}</b> : null} {children}
      </div>
      {action}
    </div>
  );
}
