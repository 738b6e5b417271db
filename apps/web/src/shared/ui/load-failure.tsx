import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export interface LoadFailureProps {
  /** The query that failed. */
  readonly query: { readonly isFetching: boolean; readonly refetch: () => unknown };
  /** The missing data and the reason. */
  readonly message: ReactNode;
  /** Consequence for the shown content, or the remedy. */
  readonly children?: ReactNode;
}

/** Says that data could not be loaded, and offers to load it again. */
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
