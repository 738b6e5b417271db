import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { functionKeys, useHasFunctionKeys } from './function-keys.ts';
import type { MessageForm as Form } from './message-form.tsx';
import styles from './message-list.module.css';
import { MessageRow } from './message-row.tsx';
import type { DevicePanel } from './model/device-panel.ts';
import { deleteMessage, stepMessage } from './store/panel-actions.ts';
import { openForm, usePanelsSession } from './store/panels-session.ts';

export interface MessageListProps {
  readonly panel: DevicePanel;
  /** True: the messages are another publisher's JKit. They can be sent but not edited. */
  readonly readOnly: boolean;
  /** Index at which a dragged message would be inserted. */
  readonly dropAt: number | null;
}

const loadForm = (): Promise<{ readonly MessageForm: typeof Form }> => import('./message-form.tsx');

/**
 * List of pinned messages with one tab stop. Up, Down, Home and End move the focus between rows. Alt with Up or Down
 * moves the message.
 */
export function MessageList({ panel, readOnly, dropAt }: MessageListProps) {
  const { id: panelId, pinnedMessages: messages } = panel;
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const hasKeys = useHasFunctionKeys(panelId);
  const editing = usePanelsSession(({ form }) => (form?.kind === 'edit' ? form.messageId : null));
  const reachable = messages.some(({ id }) => id === current) ? current : messages[0]?.id;

  const focus = (messageId: string | undefined, control: string) => {
    const row = [...(list.current?.children ?? [])].find((item) => item.getAttribute('data-message') === messageId);
    row?.querySelector<HTMLElement>(`[data-control="${control}"]`)?.focus();
  };
  const walk = (event: KeyboardEvent) => {
    const control = event.target instanceof Element ? event.target.getAttribute('data-control') : null;
    const index = messages.findIndex(({ id }) => id === current);
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: messages.length - 1 }[event.key];
    if (control === null || to === undefined || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    if (!event.altKey) {
      focus(messages[to]?.id, control);
    } else if (!readOnly && current !== null && Math.abs(to - index) === 1) {
      flushSync(() => stepMessage(panelId, current, to - index));
      focus(current, control);
    }
  };
  const isEditing = !readOnly && messages.some(({ id }) => id === editing);
  // The row stays until its form is loaded.
  const loaded = useLoaded(isEditing, loadForm, () => {
    openForm(null);
    focus(editing ?? undefined, 'send');
  });
  const remove = (messageId: string) => {
    const index = messages.findIndex(({ id }) => id === messageId);
    const neighbour = messages[index + 1] ?? messages[index - 1];
    const field = list.current?.parentElement?.querySelector<HTMLElement>('[data-control="add"]');
    flushSync(() => deleteMessage(panelId, messageId));
    if (neighbour === undefined) {
      field?.focus();
    } else {
      focus(neighbour.id, 'send');
    }
  };

  if (messages.length === 0) {
    return (
      <p className={styles['empty']}>
        {readOnly ? 'This JKit has no commands.' : 'No commands yet. Type one below, then press Enter.'}
      </p>
    );
  }
  return (
    <ul ref={list} className={styles['list']} aria-label={`Commands of ${panel.name}`} onKeyDown={walk}>
      {messages.map((message, index) =>
        loaded !== null && editing === message.id && !readOnly ? (
          <li key={message.id} className={styles['edited']} data-message={message.id}>
            <loaded.MessageForm panelId={panelId} message={message} onDone={() => focus(message.id, 'send')} />
          </li>
        ) : (
          <MessageRow
            key={message.id}
            panel={panel}
            message={message}
            readOnly={readOnly}
            reachable={message.id === reachable}
            functionKey={hasKeys ? (functionKeys[index] ?? null) : null}
            drop={dropAt === index ? 'before' : dropAt === messages.length && index === dropAt - 1 ? 'after' : null}
            onReach={() => setCurrent(message.id)}
            onDelete={() => remove(message.id)}
          />
        ),
      )}
    </ul>
  );
}
