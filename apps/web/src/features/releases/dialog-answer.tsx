import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

export interface DialogAnswerProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What is asked for: `history`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a dialog asked the server for: on its way, refused, or there. */
export function DialogAnswer<Data>({ query, what, children }: DialogAnswerProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  return (
    <>
      {error === null ? null : (
        <Notice
          level="error"
          title={`Failed to load ${what}: ${errorMessage(error)}`}
          action={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {data === undefined ? null : children(data)}
      {data === undefined && error === null ? <p role="status">Loading {what}…</p> : null}
    </>
  );
}
