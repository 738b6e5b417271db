import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { PortNumber } from '@wirebench/serial';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { LevelIcon } from '../../../shared/ui/level-icon.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import styles from './failure-strip.module.css';

export interface FailureStripProps {
  readonly port: PortNumber;
  readonly level?: 'error' | 'warning' | 'info';
  /** What happened. */
  readonly title: ReactNode;
  /** What to do next. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Where the documentation says more. */
  readonly topic?: GuidanceTopic;
  readonly onDismiss: () => void;
}

/** Docked above the log, which makes room for it. What happened is read out from the timeline, so it is not from here. */
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
