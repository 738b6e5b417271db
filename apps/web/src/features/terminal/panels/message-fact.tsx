import { Reply } from 'lucide-react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import styles from './message-row.module.css';
import { type PinnedMessage, shownContent } from './model/pinned-message.ts';
import { type Run, useRuns } from './run/runs.ts';

export interface MessageFactProps {
  readonly message: PinnedMessage;
  readonly run: Run | undefined;
  /** Key that sends the message. It replaces the type of a text. Null: none. */
  readonly functionKey: string | null;
}

/** End of the row: number of sendings, result of the wait for an answer, or type of the message. */
export function MessageFact({ message, run, functionKey }: MessageFactProps) {
  const result = useRuns(({ results }) => results[message.id]);
  if (run?.kind === 'repeat') {
    return <span className={styles['type']}>{run.sent}×</span>;
  }
  if (run === undefined && result?.kind === 'answered') {
    return <span className={classNames(styles['type'], styles['good'])}>{Math.round(result.after)} ms</span>;
  }
  if (run === undefined && (result?.kind === 'no-answer' || result?.kind === 'closed')) {
    const words = result.kind === 'closed' ? 'Port closed' : 'No answer';
    return <span className={classNames(styles['type'], styles['bad'])}>{words}</span>;
  }
  return (
    <span className={styles['type']}>
      {message.expect === null ? null : (
        <span className={styles['waits']} title={`Waits for ${shownContent(message.expect)}`}>
          <Reply aria-hidden />
          <span className="visually-hidden">Waits for an answer</span>
        </span>
      )}
      {message.type === 'hex' ? 'HEX' : functionKey === null ? 'ASC' : null}
      {functionKey === null ? null : (
        <span className={styles['key']}>
          <Kbd>{functionKey}</Kbd>
        </span>
      )}
    </span>
  );
}
