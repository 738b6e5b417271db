/** Everything below the dashboard's header. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { adminText, exportName, listFailureText } from './admin-texts.ts';
import type { FeedbackCalls } from './feedback-calls.ts';
import { FeedbackCards } from './feedback-cards.tsx';
import styles from './feedback-dashboard.module.css';
import { FeedbackFilter } from './feedback-filter.tsx';
import { PageArrows } from './page-arrows.tsx';
import { StatCards } from './stat-cards.tsx';

export interface FeedbackDashboardProps {
  readonly user: string;
  readonly calls: FeedbackCalls;
}

export function FeedbackDashboard({ user, calls }: FeedbackDashboardProps) {
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  const [{ page, email }, setView] = useState({ page: 1, email: '' });
  const list = useQuery(
    {
      queryKey: ['feedback', user, email, page],
      queryFn: ({ signal }) => calls.list(page, email, signal),
      // While a page is turned the last one stays; another filter is another list.
      placeholderData: (previous, query) => (query?.queryKey[2] === email ? keepPreviousData(previous) : undefined),
    },
    queryClient,
  );
  const exporting = useMutation(
    {
      mutationFn: () => calls.file(email),
      onSuccess: (file) => saveFile(file, exportName(new Date())),
      onError: () => toast(adminText.exportFailed, { level: 'error' }),
    },
    queryClient,
  );
  // Nothing is offered that needs the right that is missing.
  if (list.error instanceof ApiError && list.error.status === 403) {
    return <Notice level="error">{adminText.denied}</Notice>;
  }
  return (
    <div ref={root}>
      <StatCards user={user} load={calls.stats} />
      <FeedbackFilter
        applied={email}
        onApply={(next) => setView({ page: 1, email: next })}
        exporting={exporting.isPending}
        onExport={() => exporting.mutate()}
      />
      <List list={list} />
      <PageArrows
        page={page}
        pages={list.data?.pagination.pages ?? 0}
        onTurn={(next) => setView({ page: next, email })}
      />
    </div>
  );
}

type ListQuery = ReturnType<typeof useQuery<Awaited<ReturnType<FeedbackCalls['list']>>>>;

function List({ list }: { readonly list: ListQuery }) {
  if (list.isPending) {
    return (
      <p className={styles['state']} role="status">
        <Spinner /> {adminText.loadingList}
      </p>
    );
  }
  if (list.isError) {
    return (
      <Notice level="error" action={<Button onClick={() => void list.refetch()}>Try again</Button>}>
        {listFailureText(list.error)}
      </Notice>
    );
  }
  const { data } = list.data;
  return data.length === 0 ? (
    <p className={styles['state']} role="status">
      {adminText.empty}
    </p>
  ) : (
    <FeedbackCards items={data} busy={list.isPlaceholderData} />
  );
}
