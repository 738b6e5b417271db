import { type ReactNode, useRef } from 'react';
import { useBringIntoView } from './bring-into-view.ts';

export interface AnswerProps {
  /** The answered action, compared by identity; null before the first. */
  readonly of: unknown;
  /** True: it appears with its answer, which announces itself as an alert. False: it is always there, and announces what it gets. */
  readonly appears?: boolean;
  readonly children: ReactNode;
}

/** The place of an answer inside a panel or a form: announced, and scrolled into view when the answer is new. */
export function Answer({ of, appears = false, children }: AnswerProps) {
  const place = useRef<HTMLDivElement>(null);
  useBringIntoView(place, of, appears);
  return (
    <div ref={place} aria-live={appears ? undefined : 'polite'}>
      {children}
    </div>
  );
}
