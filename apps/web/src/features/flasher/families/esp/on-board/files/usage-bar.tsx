/** Space in use, with what the plan adds in blue. */
import type { FileSystemUsage } from '@wirebench/flasher/file-systems';
import { count } from '../../../../../../shared/format/numbers.ts';
import styles from './files-view.module.css';

interface UsageBarProps {
  readonly usage: FileSystemUsage;
  /** Space in use on the board, in bytes. */
  readonly before: number;
}

const kilobytes = (bytes: number) => Math.round(bytes / 1_024);
const percent = (part: number, { total }: FileSystemUsage) => (total === 0 ? 0 : Math.min(100, (part / total) * 100));

export function UsageBar({ usage, before }: UsageBarProps) {
  const { used, total } = usage;
  const added = used - before;
  const kept = Math.min(used, before);
  const difference = kilobytes(Math.abs(added));
  const change = added === 0 ? '' : `, ${added > 0 ? '+' : '−'}${count(difference)}`;
  const planned =
    added > 0
      ? `, ${Math.round(percent(added, usage))} % to be added`
      : added < 0
        ? `, ${difference} KB to be freed`
        : '';
  return (
    <span className={styles['usage']}>
      <span className={styles['bar']} role="img" aria-label={`${Math.round(percent(kept, usage))} % used${planned}`}>
        <i style={{ width: `${percent(kept, usage)}%` }} />
        <i className={styles['planned']} style={{ width: `${percent(Math.max(0, added), usage)}%` }} />
      </span>
      <span>
        {count(kilobytes(kept))} of {count(kilobytes(total))} KB{change}
      </span>
    </span>
  );
}
