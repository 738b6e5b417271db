import type { Project } from '@wirebench/contract';
import { Download } from 'lucide-react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { exactText } from '../../shared/dates/dates.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useHistory, useHistoryFile } from './calls/history.ts';
import styles from './dialog-table.module.css';
import { countText } from './model/count-text.ts';
import { historyText } from './model/history-text.ts';

export interface HistoryDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Shows every change of a project: user, action, time and token. Can be saved as a file. */
export function HistoryDialog({ project, open, onClose }: HistoryDialogProps) {
  const { _id: id, name } = project;
  const query = useHistory(project, open);
  const { data, error, isFetching } = query;
  const saving = useHistoryFile(id, {
    onSuccess: (file) => saveFile(file, `history-${name}.csv`),
    onError: (reason) => toast('Failed to export the history', { level: 'error', detail: errorMessage(reason) }),
  });
  const lines = data?.pages.flatMap(({ history }) => history) ?? [];
  return (
    <Dialog open={open} onClose={onClose} title={`History of ${name}`}>
      <div className={`row ${styles['row']}`}>
        <span className="num">
          {data === undefined ? 'Newest first' : `${changesText(data.pages[0]?.pagination.total ?? 0)}, newest first`}
        </span>
        <Button size="sm" icon={<Download />} busy={saving.isPending} onClick={() => saving.mutate()}>
          Export as CSV
        </Button>
      </div>
      {error === null ? null : <LoadFailure query={query} message={`Failed to load history: ${errorMessage(error)}`} />}
      {lines.length === 0 ? (
        <p role="status">{isFetching ? 'Loading history…' : null}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={styles['scroll']} aria-label="Changes" tabIndex={0}>
          <table className={`table ${styles['table']}`}>
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
          {query.hasNextPage ? (
            <Button size="sm" busy={isFetching} onClick={() => void query.fetchNextPage()}>
              Show older changes
            </Button>
          ) : null}
        </section>
      )}
    </Dialog>
  );
}

const changesText = (count: number): string => `${countText(count)} ${count === 1 ? 'change' : 'changes'}`;
