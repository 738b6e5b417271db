/** A list of moderation: loading, refused, empty, or a page of entries. */
import { moderationLimits, moderationText } from '@wirebench/contract';
import { type ReactNode, useState } from 'react';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './moderation.module.css';
import { useModerationList } from './moderation-calls.ts';

export interface ModerationListProps<Answer> {
  /** Accessible name of the table. */
  readonly label: string;
  /** User and filter. Each combination is a list of its own. */
  readonly of: readonly string[];
  readonly load: (skip: number, signal: AbortSignal) => Promise<Answer>;
  /** Returns true if more entries follow after the first `skip`. */
  readonly hasMore: (answer: Answer, skip: number) => boolean;
  readonly heads: readonly string[];
  readonly rows: (answer: Answer) => readonly ReactNode[];
  readonly empty: string;
  /** True: sorted by name. False: newest first. */
  readonly isByName?: boolean;
  /** Content above the list. */
  readonly note?: (answer: Answer) => ReactNode;
}

export function ModerationList<Answer>(props: ModerationListProps<Answer>) {
  const { label, of, load, hasMore, heads, rows, empty, isByName = false, note } = props;
  const [skip, setSkip] = useState(0);
  const query = useModerationList(of, skip, load);
  const { data, error } = query;
  if (error instanceof ApiError && error.status === 403) {
    return <Notice level="error">{moderationText.denied}</Notice>;
  }
  if (data === undefined) {
    return error === null ? (
      <p className={styles['state']} role="status">
        <Spinner /> Loading…
      </p>
    ) : (
      <LoadFailure query={query} message={errorMessage(error)} />
    );
  }
  const shown = rows(data);
  const more = hasMore(data, skip);
  return (
    <>
      {note?.(data)}
      {shown.length === 0 ? (
        <p className={styles['state']} role="status">
          {empty}
        </p>
      ) : (
        <table className={`table ${styles['table']}`} aria-label={label} aria-busy={query.isPlaceholderData}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      )}
      {skip === 0 && !more ? null : (
        <nav className={`buttons ${styles['pages']}`} aria-label="Pages">
          <Button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - moderationLimits.pageSize))}>
            {isByName ? 'Previous' : 'Newer'}
          </Button>
          <Button disabled={!more} onClick={() => setSkip(skip + moderationLimits.pageSize)}>
            {isByName ? 'Next' : 'Older'}
          </Button>
        </nav>
      )}
    </>
  );
}
