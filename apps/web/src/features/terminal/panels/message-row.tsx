/** One pinned message. A click sends it. Its other controls are always visible, because touch screens have no hover. */

import {
  type MessageFile,
  messageName,
  numbersOf,
  type PinnedMessage,
  quoted,
  type StepResult,
  shownContent,
  waitsForAnswer,
} from '@wirebench/runs';
import {
  ArrowDown,
  ArrowRight,
  ArrowUp,
  Copy,
  EllipsisVertical,
  FileUp,
  Pencil,
  Play,
  Repeat,
  Square,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { protocolNames } from '../../../protocol/transfer-names.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Menu, type MenuAction, type MenuProps } from '../../../shared/ui/menu.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import { endDrag, startDrag } from './drag.ts';
import { fileWayNames } from './message-file-field.tsx';
import styles from './message-row.module.css';
import type { DevicePanel } from './model/device-panel.ts';
import type { Panels } from './model/panels.ts';
import type { NumberForm } from './number-form.tsx';
import { RepeatForm } from './repeat-form.tsx';
import { sendFault } from './run/prepare-run.ts';
import { chooseRunFile, useRunFile } from './run/run-files.ts';
import { isAtMessage, type Run, sendMessage, stopRun, useRuns } from './run/runs.ts';
import { sendToPanel, stepMessage } from './store/panel-actions.ts';
import { otherOwnerOf } from './store/panel-owner.ts';
import { openForm, say, setRefusal, unmark, usePanelsSession } from './store/panels-session.ts';
import { usePanels } from './store/panels-store.ts';

export interface MessageRowProps {
  readonly panel: DevicePanel;
  readonly message: PinnedMessage;
  /** True: the message can be sent and repeated, but not edited, moved or deleted. */
  readonly readOnly: boolean;
  /** True: the row is the list's tab stop. */
  readonly reachable: boolean;
  /** Key that sends the message, or null. */
  readonly functionKey: string | null;
  /** Side of this row at which a dragged message would be inserted. */
  readonly drop: 'before' | 'after' | null;
  readonly onReach: () => void;
  readonly onDelete: () => void;
}

/**
 * Returns the menu items of a message.
 *
 * @param readOnly True: the panel holds another publisher's JKit.
 * @param onDelete First press of two.
 */
function messageActions(
  panel: DevicePanel,
  message: PinnedMessage,
  panels: Panels,
  readOnly: boolean,
  onDelete: () => void,
): MenuProps['items'] {
  const { id: messageId } = message;
  const index = panel.pinnedMessages.indexOf(message);
  const others = panels.filter(({ id }) => id !== panel.id && otherOwnerOf(id) === null);
  const transfer = (to: DevicePanel, kind: 'move' | 'copy'): MenuAction => ({
    label: `${kind === 'move' ? 'Move' : 'Copy'} to ${nameAmong(to, others)}`,
    icon: kind === 'move' ? <ArrowRight /> : <Copy />,
    onSelect: () => setRefusal(panel.id, sendToPanel({ from: panel.id, messageId, to: to.id, kind })),
  });
  // A repetition would send the message without its file, and show a hidden one in the log.
  const use: readonly MenuAction[] =
    message.file !== null
      ? [{ label: 'Choose the file…', icon: <FileUp />, onSelect: () => void chooseRunFile(messageId) }]
      : message.hidden
        ? []
        : [
            {
              label: 'Repeat…',
              icon: <Repeat />,
              onSelect: () => openForm({ messageId, kind: 'repeat' }),
              movesFocus: true,
            },
          ];
  const copies = others.map((other) => transfer(other, 'copy'));
  if (readOnly) {
    return [...use, ...(copies.length === 0 ? [] : ['separator' as const, ...copies])];
  }
  return [
    { label: 'Edit', icon: <Pencil />, onSelect: () => openForm({ messageId, kind: 'edit' }), movesFocus: true },
    ...use,
    'separator',
    {
      label: 'Move up',
      icon: <ArrowUp />,
      shortcut: 'Alt+↑',
      disabled: index === 0,
      onSelect: () => stepMessage(panel.id, messageId, -1),
    },
    {
      label: 'Move down',
      icon: <ArrowDown />,
      shortcut: 'Alt+↓',
      disabled: index === panel.pinnedMessages.length - 1,
      onSelect: () => stepMessage(panel.id, messageId, 1),
    },
    ...(others.length === 0 ? [] : ['separator' as const]),
    ...others.map((other) => transfer(other, 'move')),
    ...copies,
    'separator',
    { label: 'Delete', icon: <Trash2 />, shortcut: 'Delete', onSelect: onDelete, movesFocus: true },
  ];
}

/** Returns the panel's name. A number is added if other panels have the same name. */
function nameAmong(panel: DevicePanel, others: Panels): string {
  const namesakes = others.filter(({ name }) => name === panel.name);
  return namesakes.length === 1 ? panel.name : `${panel.name} (${namesakes.indexOf(panel) + 1})`;
}

interface MessageSendProps {
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
function MessageSend({ panel, message, run, tabIndex, functionKey }: MessageSendProps) {
  const fault = useBenchStatus((view) => sendFault(panel, portStates(view)));
  // The screen may be shared.
  const content = message.hidden ? '••••••' : shownContent(message);
  const verb = run === undefined ? 'Send' : 'Stop';
  const { label } = message;
  const alone = waitsForAnswer(message) ? undefined : styles['alone'];
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
        className={classNames('ring-inside', styles['send'], alone)}
        data-control="send"
        tabIndex={tabIndex}
        aria-label={name}
        onClick={() => stopRun(panel.id)}
      >
        <span className={styles['go']}>
          <Square />
        </span>
        {words}
      </button>
    );
  }
  return (
    <button
      type="button"
      className={classNames('ring-inside', styles['send'], alone, fault === null ? styles['ready'] : styles['blocked'])}
      data-control="send"
      tabIndex={tabIndex}
      title={fault === null ? content : `${content}\n${fault}`}
      aria-label={name}
      aria-disabled={fault === null ? undefined : true}
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

interface MessageFactProps {
  readonly panelId: string;
  readonly message: PinnedMessage;
  readonly run: Run | undefined;
  /** Key that sends the message. Null: none. */
  readonly functionKey: string | null;
}

/** End of the row: number of sendings, result of the wait for an answer, or marks of the message. */
function MessageFact({ panelId, message, run, functionKey }: MessageFactProps) {
  const kept = useRuns((runs) => runs.results[message.id]);
  const goesOn = useRuns(({ running }) => running[panelId] !== undefined);
  const percent = useFilePercent(message, run);
  if (run?.kind === 'repeat') {
    return <span className={styles['type']}>{run.sent}×</span>;
  }
  if (percent !== null) {
    return <span className={styles['type']}>{percent} %</span>;
  }
  const results = Object.values(kept?.byPort ?? {});
  const [result] = results;
  const boards = kept?.boards ?? 1;
  if (boards > 1 && result !== undefined && (run === undefined || results.length === boards)) {
    return <BoardCount results={results} boards={boards} goesOn={goesOn} />;
  }
  if (run !== undefined && waitsForAnswer(message)) {
    return (
      <span className={classNames(styles['type'], styles['boards'])}>
        <Spinner />
        waits
      </span>
    );
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
  return (
    <span className={styles['type']}>
      {message.file === null ? null : <FileMark file={message.file} messageId={message.id} />}
      {message.type === 'hex' ? 'Hex' : null}
      {functionKey === null ? null : (
        <span className={styles['key']}>
          <Kbd>{functionKey}</Kbd>
        </span>
      )}
    </span>
  );
}

interface BoardCountProps {
  readonly results: readonly StepResult[];
  readonly boards: number;
  /** True: more results may come. */
  readonly goesOn: boolean;
}

/** Number of boards that have answered, or taken the file. */
function BoardCount({ results, boards, goesOn }: BoardCountProps) {
  const good = results.filter(({ kind }) => kind === 'answered' || kind === 'file-sent').length;
  const isOver = results.length === boards || !goesOn;
  const look = good === boards ? styles['good'] : isOver ? styles['bad'] : undefined;
  return (
    <span className={classNames(styles['type'], styles['boards'], look)}>
      {good} of {boards}
    </span>
  );
}

/** The answers that the message waits for, and the longest wait, in one line. */
function Wait({ message: { expect, flow, timeoutMs } }: { readonly message: PinnedMessage }) {
  const first = expect === null ? [] : [shownContent(expect)];
  const answers = [...first, ...(flow?.answers ?? []).map(({ content }) => content)].join(' or ');
  const limit = timeoutMs < 1_000 ? `${timeoutMs} ms` : `${timeoutMs / 1_000} s`;
  return (
    <span className={`ellipsis ${styles['wait']}`} title={`Waits for ${answers}, at most ${limit}`}>
      waits for <code>{answers}</code>, at most {limit}
    </span>
  );
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

/** Part of the message's file that every port has sent so far, in percent; null while none sends it. */
function useFilePercent({ file }: PinnedMessage, run: Run | undefined): number | null {
  return useBenchStatus(({ sends, transfers }) => {
    if (run === undefined || file === null) {
      return null;
    }
    const parts = run.ports.flatMap((port) => {
      const progress = sends[port] ?? transfers[port]?.progress ?? null;
      return progress === null || progress.total === null || progress.total === 0
        ? []
        : [Math.floor((100 * progress.sent) / progress.total)];
    });
    return parts.length === 0 ? null : Math.min(...parts);
  });
}

const loadNumberForm = (): Promise<{ readonly NumberForm: typeof NumberForm }> => import('./number-form.tsx');

export function MessageRow({
  panel,
  message,
  readOnly,
  reachable,
  functionKey,
  drop,
  onReach,
  onDelete,
}: MessageRowProps) {
  const { id } = message;
  const panels = usePanels((all) => all);
  const run = useRuns(({ running }) => (isAtMessage(running[panel.id], id) ? running[panel.id] : undefined));
  const repeating = usePanelsSession(({ form }) => form?.kind === 'repeat' && form.messageId === id);
  const numbers = numbersOf(message);
  const isAsking = usePanelsSession(({ form }) => form?.kind === 'value' && form.messageId === id) && numbers !== null;
  const asking = useLoaded(isAsking, loadNumberForm, () => openForm(null));
  const marked = usePanelsSession((session) => (session.marked?.messageId === id ? session.marked.time : null));
  const { armed, press, disarm } = useTwoPresses(onDelete);
  /** True: the menu asks for the second press, so the focus goes to its button. */
  const [asked, setAsked] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked !== null) {
      row.current?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [marked]);

  const pressDelete = () => {
    if (!armed) {
      say(`Press again to delete ${quoted(message)}`);
    }
    press();
  };
  const key = (event: KeyboardEvent) => {
    const onControl = event.target instanceof Element && event.target.hasAttribute('data-control');
    if (!onControl) {
      return;
    }
    if (event.key === 'Delete' && !readOnly) {
      event.preventDefault();
      setAsked(false);
      pressDelete();
    } else if (event.key === 'Escape' && armed) {
      event.stopPropagation();
      disarm();
    }
  };
  const tabIndex = reachable ? 0 : -1;
  const name = messageName(message);
  return (
    <li
      ref={row}
      className={classNames(
        styles['row'],
        armed && styles['armed'],
        run !== undefined && styles['running'],
        marked !== null && styles['marked'],
        drop !== null && styles[drop],
      )}
      data-message={id}
      draggable={!(repeating || isAsking || readOnly)}
      onDragStart={(event) =>
        startDrag(event, { kind: 'message', panelId: panel.id, messageId: id }, message.hidden ? name : message.content)
      }
      onDragEnd={endDrag}
      onAnimationEnd={(event) => {
        if (event.target === event.currentTarget && marked !== null) {
          unmark(marked);
        }
      }}
      onFocus={onReach}
      onKeyDown={key}
    >
      <MessageSend panel={panel} message={message} run={run} tabIndex={tabIndex} functionKey={functionKey} />
      {waitsForAnswer(message) ? <Wait message={message} /> : null}
      {armed ? (
        <Button
          size="sm"
          className={styles['sure']}
          data-control="delete"
          tabIndex={tabIndex}
          autoFocus={asked}
          aria-label={`Press again to delete ${name}`}
          onClick={pressDelete}
        >
          Delete?
        </Button>
      ) : (
        <MessageFact panelId={panel.id} message={message} run={run} functionKey={functionKey} />
      )}
      <Menu
        align="end"
        items={messageActions(panel, message, panels, readOnly, () => {
          setAsked(true);
          pressDelete();
        })}
        trigger={(props) => (
          <Button
            {...props}
            variant="quiet"
            size="sm"
            className={styles['action']}
            data-control="more"
            tabIndex={tabIndex}
            aria-label={`Options of ${name}`}
            icon={<EllipsisVertical />}
            onKeyDown={(event) => {
              // Up and Down move between rows instead of opening the menu. Enter opens it.
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') {
                props.onKeyDown(event);
              }
            }}
          />
        )}
      />
      {repeating ? <RepeatForm panelId={panel.id} message={message} /> : null}
      {asking === null || !isAsking ? null : (
        <asking.NumberForm panelId={panel.id} message={message} numbers={numbers} />
      )}
    </li>
  );
}
