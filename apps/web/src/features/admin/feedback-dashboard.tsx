/** Content of the dashboard below its header. */
import type { Feedback } from '@wirebench/contract';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { exactText } from '../../shared/dates/dates.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { adminText, exportName, listFailureText } from './admin-texts.ts';
import { type FeedbackCalls, useFeedback, useFeedbackFile } from './feedback-calls.ts';
import styles from './feedback-dashboard.module.css';
import { FeedbackFilter } from './feedback-filter.tsx';
import { moderate } from './moderation-calls.ts';
import { ReasonButton } from './reason-button.tsx';
import { StatCards } from './stat-cards.tsx';

export interface FeedbackDashboardProps {
  readonly user: string;
  readonly calls: FeedbackCalls;
  /** True: this user may moderate, according to the server. */
  readonly canDelete: boolean;
}

export function FeedbackDashboard({ user, calls, canDelete }: FeedbackDashboardProps) {
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  const [{ page, email }, setView] = useState({ page: 1, email: '' });
  const list = useFeedback(calls, user, email, page);
  const exporting = useFeedbackFile(calls, email, {
    onSuccess: (file) => saveFile(file, exportName(new Date())),
    onError: () => toast(adminText.exportFailed, { level: 'error' }),
  });
  // Without the right, no actions are offered.
  if (list.error instanceof ApiError && list.error.status === 403) {
    return <Notice level="error">{adminText.denied}</Notice>;
  }
  return (
    <div ref={root}>
      <StatCards user={user} calls={calls} />
      <FeedbackFilter
        applied={email}
        onApply={(next) => setView({ page: 1, email: next })}
        exporting={exporting.isPending}
        onExport={() => exporting.mutate()}
      />
      <List list={list} canDelete={canDelete} />
      <PageArrows
        page={page}
        pages={list.data?.pagination.pages ?? 0}
        onTurn={(next) => setView({ page: next, email })}
      />
    </div>
  );
}

interface ListProps extends Pick<FeedbackDashboardProps, 'canDelete'> {
  readonly list: ReturnType<typeof useFeedback>;
}

function List({ list, canDelete }: ListProps) {
  if (list.isPending) {
    return (
      <p className={`card row ${styles['state']}`} role="status">
        <Spinner /> {adminText.loadingList}
      </p>
    );
  }
  if (list.isError) {
    return <LoadFailure query={list} message={listFailureText(list.error)} />;
  }
  const { data } = list.data;
  return data.length === 0 ? (
    <p className={`card row ${styles['state']}`} role="status">
      {adminText.empty}
    </p>
  ) : (
    <FeedbackCards items={data} busy={list.isPlaceholderData} canDelete={canDelete} />
  );
}

interface PageArrowsProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

/** Renders nothing if there is only one page. */
function PageArrows({ page, pages, onTurn }: PageArrowsProps) {
  if (pages <= 1) {
    return null;
  }
  return (
    <nav className={styles['pages']} aria-label="Pages">
      <IconButton label="Previous page" icon={<ChevronLeft />} disabled={page <= 1} onClick={() => onTurn(page - 1)} />
      <span className="num" aria-live="polite">
        Page {page} of {pages}
      </span>
      <IconButton label="Next page" icon={<ChevronRight />} disabled={page >= pages} onClick={() => onTurn(page + 1)} />
    </nav>
  );
}

interface FeedbackCardsProps extends Pick<FeedbackDashboardProps, 'canDelete'> {
  readonly items: readonly Feedback[];
  /** True while the next page loads. */
  readonly busy: boolean;
}

function FeedbackCards({ items, busy, canDelete }: FeedbackCardsProps) {
  return (
    <ul className={`card ${styles['cards']}`} aria-label="Feedbacks" aria-busy={busy}>
      {items.map(({ _id, email, message, createdAt }) => (
        <li key={_id}>
          <article className={styles['card']}>
            <b title={email}>{email}</b>
            <p>{message}</p>
            <div className={`stack ${styles['end']}`}>
              <time dateTime={createdAt}>{exactText(createdAt)}</time>
              {canDelete ? (
                <ReasonButton
                  action="Delete"
                  what="this feedback"
                  danger
                  explanation="The message and the address of its sender are deleted, which cannot be undone. The sender’s account stays as it is."
                  done="The feedback was deleted"
                  run={(reason) => moderate.deleteFeedback(_id, reason)}
                />
              ) : null}
            </div>
          </article>
        </li>
      ))}
    </ul>
  );
}
