import { Play, Square } from 'lucide-react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import styles from './message-row.module.css';
import type { DevicePanel } from './model/device-panel.ts';
import { messageName, type PinnedMessage, shownContent } from './model/pinned-message.ts';
import { openTarget } from './run/prepare-run.ts';
import { type Run, sendMessage, stopRun } from './run/runs.ts';

export interface MessageSendProps {
  readonly panel: DevicePanel;
  readonly message: PinnedMessage;
  /** The run that currently sends this message or waits for its answer. */
  readonly run: Run | undefined;
  readonly tabIndex: number;
  /** Key that sends the message, or null. */
  readonly functionKey: string | null;
}

/**
 * Main button of a row: sends the message, or stops its run. If the target cannot send, its tooltip gives the reason.
 */
export function MessageSend({ panel, message, run, tabIndex, functionKey }: MessageSendProps) {
  const target = useBenchStatus((view) => openTarget(panel, portStates(view)));
  // The screen may be shared.
  const content = message.hidden ? '••••••' : shownContent(message);
  const verb = run === undefined ? 'Send' : 'Stop';
  const { label } = message;
  // With a label, the name of the button is its content, so that it has both.
  const name = label === '' || message.hidden ? `${verb} ${messageName(message)}` : undefined;
  const words = (
    <span className={styles['words']}>
      {label === '' ? null : (
        <>
          <span className="visually-hidden">{verb} </span>
          <b className={styles['label']}>{label}</b>{' '}
        </>
      )}
      <span className={styles['content']}>{content}</span>
    </span>
  );
  if (run !== undefined) {
    return (
      <button
        type="button"
        className={`ring-inside ${styles['send']}`}
        data-control="send"
        tabIndex={tabIndex}
        aria-label={name}
        onClick={() => stopRun(panel.id)}
      >
        <span className={styles['go']}>
          <Square />
        </span>
        {words}
        {run.kind === 'repeat' ? null : <Spinner />}
      </button>
    );
  }
  return (
    <button
      type="button"
      className={classNames('ring-inside', styles['send'], target.ok ? styles['ready'] : styles['blocked'])}
      data-control="send"
      tabIndex={tabIndex}
      title={target.ok ? content : `${content}\n${target.reason}`}
      aria-label={name}
      aria-disabled={target.ok ? undefined : true}
      aria-keyshortcuts={`${functionKey === null ? '' : `${functionKey} `}Delete Alt+ArrowUp Alt+ArrowDown`}
      onClick={() => void sendMessage(panel.id, message.id)}
    >
      <span className={styles['go']}>
        <Play />
      </span>
      {words}
    </button>
  );
}
