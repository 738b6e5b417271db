import { type ReactNode, useRef } from 'react';
import { useBringIntoView } from './bring-into-view.ts';

export interface AnswerProps {
  /** The answered action, compared by identity. Null before the first answer. */
  readonly of: unknown;
  /**
   * True: the element appears with its answer and has the role of an alert. False: it is always present, and
   * announces new content.
   */
  readonly appears?: boolean;
  readonly children: ReactNode;
}

/** Container of an answer inside a panel or a form. A new answer is announced and scrolled into view. */
export function Answer({ of, appears = false, children }: AnswerProps) {
  const place = useRef<HTMLDivElement>(null);
  useBringIntoView(place, of, appears);
  return (
    <div ref={place} aria-live={appears ? undefined : 'polite'}>
      {children}
    </div>
  );
}
