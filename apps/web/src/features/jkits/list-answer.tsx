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
  /** Comes before ' failed: …'. */
  readonly operation: string;
  /** While there is nothing to show yet. */
  readonly waiting: string;
}

/** What is to say of a list that is not there, or may be out of date. */
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
