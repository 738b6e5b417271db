import { operationFailure } from '../../shared/api/api-error.ts';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import styles from './library.module.css';

export interface ListAnswerProps {
  readonly query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  /** Subject of the error text: precedes ' failed: …'. */
  readonly operation: string;
  /** Text while the list is loading. */
  readonly waiting: string;
}

/** Status of a list: loading, failed, or possibly out of date. */
export function ListAnswer({ query, operation, waiting }: ListAnswerProps) {
  const { data, error } = query;
  if (error === null) {
    return data === undefined ? (
      <p role="status" className={styles['waiting']}>
        {waiting}
      </p>
    ) : null;
  }
  return (
    <div className={styles['failure']}>
      <LoadFailure query={query} message={operationFailure(operation, error)}>
        {data === undefined ? null : 'The list may be out of date.'}
      </LoadFailure>
    </div>
  );
}
