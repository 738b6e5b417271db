import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export interface LoadFailureProps {
  /** The query that failed. */
  readonly query: { readonly isFetching: boolean; readonly refetch: () => unknown };
  /** What was not loaded, and why. */
  readonly message: ReactNode;
  /** What it means for what is shown, or what to do. */
  readonly children?: ReactNode;
}

/** Says that something could not be loaded, and asks for it again. */
export function LoadFailure({ query, message, children }: LoadFailureProps) {
  return (
    <Notice
      level="error"
      title={message}
      action={
        <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
