/** Full-width card for one failure: title, meaning, steps of the remedy, an optional drawing, and buttons. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import { CircleX } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Badge } from '../shared/ui/badge.tsx';
import { useBringIntoView } from '../shared/ui/bring-into-view.ts';
import { useLostFocus } from '../shared/ui/use-lost-focus.ts';
import styles from './failure-card.module.css';
import { GuidanceLink } from './guidance-link.tsx';

export interface FailureCardProps {
  /** Names the failure in one sentence, without a full stop. */
  readonly title: string;
  /** Explains the failure and the state of the board. */
  readonly children: ReactNode;
  /** Category of the failure, in one or two words. */
  readonly badge?: string;
  /** Steps of the remedy, in order. */
  readonly steps?: readonly FailureStep[];
  /** Shown beside the steps. */
  readonly drawing?: ReactNode;
  readonly actions: ReactNode;
  /** Guidance topic to link to; null for no link. */
  readonly topic?: GuidanceTopic | null;
}

interface FailureStep {
  readonly title: ReactNode;
  readonly text?: ReactNode;
}

export function FailureCard({ title, children, badge, steps = [], drawing, actions, topic = null }: FailureCardProps) {
  const card = useRef<HTMLElement>(null);
  const first = useRef<HTMLElement>(null);
  useLostFocus(first);
  useBringIntoView(card, title, true);
  return (
    <section ref={card} className={styles['card']} role="alert" aria-label={title}>
      <div className={styles['head']}>
        <CircleX />
        <div className={styles['text']}>
          <h2>{title}</h2>
          <div className={styles['meaning']}>{children}</div>
        </div>
        {badge === undefined ? null : (
          <span className={styles['badge']}>
            <Badge tone="danger">{badge}</Badge>
          </span>
        )}
      </div>
      {steps.length === 0 && drawing === undefined ? null : (
        <div className={styles['body']}>
          <ol className={styles['steps']}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a failure never change.
              <li key={index}>
                <div>
                  <b>{step.title}</b>
                  {step.text === undefined ? null : <p>{step.text}</p>}
                </div>
              </li>
            ))}
          </ol>
          {drawing === undefined ? null : <div className={styles['drawing']}>{drawing}</div>}
        </div>
      )}
      <div
        ref={(element) => {
          first.current = element?.querySelector('button') ?? null;
        }}
        className={`buttons ${styles['actions']}`}
      >
        {actions}
        {topic === null ? null : <GuidanceLink topic={topic} />}
      </div>
    </section>
  );
}

/** The label of a button on the board, drawn like a key. */
export function BoardButton({ children }: { readonly children: ReactNode }) {
  return <span className={styles['cap']}>{children}</span>;
}
