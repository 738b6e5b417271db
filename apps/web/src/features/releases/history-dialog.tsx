import { useInfiniteQuery } from '@tanstack/react-query';
import type { Project } from '@wirebench/contract';
import { Download } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { exactText } from '../../shared/dates/dates.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { historyFile, historyOf } from './calls/history.ts';
import styles from './dialog-table.module.css';
import { countText } from './model/count-text.ts';
import { historyText } from './model/history-text.ts';
import { useAct } from './use-act.ts';

export interface HistoryDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Every change of a project: who, what, when and by which token; also as a file. */
export function HistoryDialog({ project, open, onClose }: HistoryDialogProps) {
  const { _id: id, name } = project;
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      // A change of the project is a line more.
      queryKey: ['firmware-history', id, project.updatedAt],
      queryFn: ({ pageParam, signal }) => historyOf(id, pageParam, signal),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const read = pages.reduce((sum, { history }) => sum + history.length, 0);
        return last.history.length === 0 || read >= last.pagination.total ? null : read;
      },
      enabled: open,
    },
    queryClient,
  );
  const saving = useAct('Failed to export the history');
  const lines = data?.pages.flatMap(({ history }) => history) ?? [];
  return (
    <Dialog open={open} onClose={onClose} title={`History of ${name}`}>
      <div className={styles['row']}>
        <span className="num">
          {data === undefined ? 'Newest first' : `${changesText(data.pages[0]?.pagination.total ?? 0)}, newest first`}
        </span>
        <Button
          size="sm"
          icon={<Download />}
          busy={saving.busy}
          onClick={() => void saving.run(async () => saveFile(await historyFile(id), `history-${name}.csv`))}
        >
          Export as CSV
        </Button>
      </div>
      {error === null ? null : (
        <Notice
          level="error"
          title={`Failed to load history: ${errorMessage(error)}`}
          action={
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {lines.length === 0 ? (
        <p role="status">{isFetching ? 'Loading history…' : null}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={styles['scroll']} aria-label="Changes" tabIndex={0}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line._id}>
                  <td className="num">
                    <time dateTime={line.at}>{exactText(line.at)}</time>
                  </td>
                  <td>{historyText(line)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {hasNextPage ? (
            <Button size="sm" busy={isFetching} onClick={() => void fetchNextPage()}>
              Show older changes
            </Button>
          ) : null}
        </section>
      )}
    </Dialog>
  );
}

const changesText = (count: number): string => `${countText(count)} ${count === 1 ? 'change' : 'changes'}`;
