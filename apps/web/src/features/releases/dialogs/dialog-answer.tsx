import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';

export interface DialogAnswerProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** The requested data, as in a sentence: `history`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the state of a dialog's request: loading, failed or loaded. */
export function DialogAnswer<Data>({ query, what, children }: DialogAnswerProps<Data>) {
  const { data, error } = query;
  return (
    <>
      {error === null ? null : <LoadFailure query={query} message={`Failed to load ${what}: ${errorMessage(error)}`} />}
      {data === undefined ? null : children(data)}
      {data === undefined && error === null ? <p role="status">Loading {what}…</p> : null}
    </>
  );
}
