import type { HistoryEntry, Project } from '@wirebench/contract';
import { Download } from 'lucide-react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { exactText } from '../../../shared/dates/dates.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useHistory, useHistoryFile } from '../calls/history.ts';
import { countText } from '../count-text.ts';
import styles from './dialog-table.module.css';

export interface HistoryDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Texts of the lines of a project's history. */

const what = {
  'project-created': () => 'created the project',
  'project-described': () => 'changed the description of the project',
  'project-page-changed': () => 'changed what the page says',
  'project-picture-added': () => 'added a picture',
  'project-picture-removed': () => 'removed a picture',
  'project-published': () => 'made the project public',
  'project-withdrawn': () => 'made the project private',
  'project-link-renewed': () => 'renewed the link of the project',
  'project-link-end-changed': () => 'changed when the link of the project expires',
  'version-created': (version) => `added version ${version}`,
  'version-described': (version) => `changed the description of version ${version}`,
  'version-published': (version) => `made version ${version} public`,
  'version-withdrawn': (version) => `made version ${version} private`,
  'version-link-renewed': (version) => `renewed the link of version ${version}`,
  'version-link-end-changed': (version) => `changed when the link of version ${version} expires`,
  'version-channel-changed': (version) => `moved version ${version} to another channel`,
  'version-console-changed': (version) => `changed the terminal set-up of version ${version}`,
  'version-elf-added': (version) => `added an ELF file to version ${version}`,
  'version-elf-removed': (version) => `removed the ELF file of version ${version}`,
  'version-deleted': (version) => `deleted version ${version}`,
} satisfies Record<HistoryEntry['action'], (version: string) => string>;

/** `mira.k added version 1.4.0`, with the publishing token that was used. */
export function historyText({ by, action, version, token }: HistoryEntry): string {
  const means = token === null ? '' : ` with the token "${token.name}"`;
  return `${by} ${what[action](version ?? '')}${means}`;
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
