import { FileUp, Reply } from 'lucide-react';
import { protocolNames } from '../../../protocol/transfer-names.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { fileWayNames } from './message-file-field.tsx';
import styles from './message-row.module.css';
import { type DevicePanel, noTarget } from './model/device-panel.ts';
import { type MessageFile, type PinnedMessage, shownContent } from './model/pinned-message.ts';
import { useRunFile } from './run/run-files.ts';
import { type Run, useRuns } from './run/runs.ts';

export interface MessageFactProps {
  readonly panel: DevicePanel;
  readonly message: PinnedMessage;
  readonly run: Run | undefined;
  /** Key that sends the message. It replaces the type of a text. Null: none. */
  readonly functionKey: string | null;
}

/** End of the row: number of sendings, result of the wait for an answer, or type of the message. */
export function MessageFact({ panel, message, run, functionKey }: MessageFactProps) {
  const result = useRuns(({ results }) => results[message.id]);
  const percent = useFilePercent(panel, message, run);
  if (run?.kind === 'repeat') {
    return <span className={styles['type']}>{run.sent}×</span>;
  }
  if (percent !== null) {
    return <span className={styles['type']}>{percent} %</span>;
  }
  if (run === undefined && result?.kind === 'file-sent') {
    return <span className={classNames(styles['type'], styles['good'])}>File sent</span>;
  }
  if (run === undefined && result?.kind === 'file-failed') {
    return <span className={classNames(styles['type'], styles['bad'])}>File not sent</span>;
  }
  if (run === undefined && result?.kind === 'answered') {
    return <span className={classNames(styles['type'], styles['good'])}>{Math.round(result.after)} ms</span>;
  }
  if (run === undefined && (result?.kind === 'no-answer' || result?.kind === 'closed')) {
    const words = result.kind === 'closed' ? 'Port closed' : 'No answer';
    return <span className={classNames(styles['type'], styles['bad'])}>{words}</span>;
  }
  const waited = waitedText(message);
  return (
    <span className={styles['type']}>
      {waited === '' ? null : (
        <span className={styles['waits']} title={`Waits for ${waited}`}>
          <Reply aria-hidden />
          <span className="visually-hidden">Waits for an answer</span>
        </span>
      )}
      {message.file === null ? null : <FileMark file={message.file} messageId={message.id} />}
      {message.type === 'hex' ? 'HEX' : functionKey === null ? 'ASC' : null}
      {functionKey === null ? null : (
        <span className={styles['key']}>
          <Kbd>{functionKey}</Kbd>
        </span>
      )}
    </span>
  );
}

/** Returns the answers that the message waits for, as a list. Empty: it waits for none. */
function waitedText({ expect, flow }: PinnedMessage): string {
  const first = expect === null ? [] : [shownContent(expect)];
  return [...first, ...(flow?.answers ?? []).map(({ content }) => content)].join(' or ');
}

function FileMark({ file, messageId }: { readonly file: MessageFile; readonly messageId: string }) {
  const chosen = useRunFile(messageId);
  const name = (chosen?.name ?? file.name) || 'a file';
  const words = `Then sends ${name} ${file.by in protocolNames ? 'by ' : ''}${fileWayNames[file.by]}`;
  return (
    <span className={styles['waits']} title={chosen === null ? `${words}. You choose it when you send.` : words}>
      <FileUp aria-hidden />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

/** Part of the message's file that the port has sent so far, in percent; null while it sends none. */
function useFilePercent(
  { pinnedTargetPort }: DevicePanel,
  { file }: PinnedMessage,
  run: Run | undefined,
): number | null {
  return useBenchStatus(({ sends, transfers }) => {
    if (run === undefined || file === null || pinnedTargetPort === noTarget) {
      return null;
    }
    const progress = sends[pinnedTargetPort] ?? transfers[pinnedTargetPort]?.progress ?? null;
    return progress === null || progress.total === null || progress.total === 0
      ? null
      : Math.floor((100 * progress.sent) / progress.total);
  });
}
