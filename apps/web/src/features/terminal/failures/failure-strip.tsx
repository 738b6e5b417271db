import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { PortNumber } from '@wirebench/serial';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { LevelIcon, type MessageLevel } from '../../../shared/ui/level-icon.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import styles from './failure-strip.module.css';

export interface FailureStripProps {
  readonly port: PortNumber;
  readonly level?: MessageLevel;
  /** Sentence that says what happened. */
  readonly title: ReactNode;
  /** Advice on the next step. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Linked section of the documentation. */
  readonly topic?: GuidanceTopic;
  readonly onDismiss: () => void;
}

/**
 * Strip with a remedy, docked above the log. It is no live region, because the timeline's notice already announces
 * the failure.
 */
export function FailureStrip({ port, level = 'error', title, children, actions, topic, onDismiss }: FailureStripProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in here
    <div
      role="group"
      className={classNames(styles['strip'], styles[level])}
      aria-label={`What to do about port ${port}`}
    >
      <LevelIcon level={level} />
      <div className={styles['text']}>
        <p className={styles['title']}>{title}</p>
        {children}
        {topic === undefined ? null : (
          <p>
            <GuidanceLink topic={topic} />
          </p>
        )}
      </div>
      <div className={styles['actions']}>
        {actions}
        <IconButton
          label={`Dismiss the advice for port ${port}`}
          size="sm"
          variant="quiet"
          icon={<X />}
          onClick={onDismiss}
        />
      </div>
    </div>
  );
}
