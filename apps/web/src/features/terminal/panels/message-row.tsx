/** One pinned message. A click sends it. Its other controls are always visible, because touch screens have no hover. */
import { EllipsisVertical, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { endDrag, startDrag } from './drag.ts';
import { messageActions } from './message-actions.tsx';
import { MessageFact } from './message-fact.tsx';
import styles from './message-row.module.css';
import { MessageSend } from './message-send.tsx';
import type { DevicePanel } from './model/device-panel.ts';
import { messageName, type PinnedMessage } from './model/pinned-message.ts';
import { quoted } from './model/quoted.ts';
import { RepeatForm } from './repeat-form.tsx';
import { useRuns } from './run/runs.ts';
import { say, unmark, usePanelsSession } from './store/panels-session.ts';
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
  const run = useRuns(({ running }) => (running[panel.id]?.messageId === id ? running[panel.id] : undefined));
  const repeating = usePanelsSession(({ form }) => form?.kind === 'repeat' && form.messageId === id);
  const marked = usePanelsSession((session) => (session.marked?.messageId === id ? session.marked.time : null));
  const { armed, press, disarm } = useTwoPresses(onDelete);
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
      draggable={!(repeating || readOnly)}
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
      {armed ? (
        <span className={classNames(styles['type'], styles['sure'])}>Delete?</span>
      ) : (
        <MessageFact panel={panel} message={message} run={run} functionKey={functionKey} />
      )}
      <Menu
        align="end"
        items={messageActions(panel, message, panels, readOnly)}
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
      {readOnly ? null : (
        <Button
          variant="quiet"
          size="sm"
          className={styles['action']}
          data-control="delete"
          tabIndex={tabIndex}
          aria-label={armed ? `Press again to delete ${name}` : `Delete ${name}`}
          icon={<X />}
          onClick={pressDelete}
        />
      )}
      {repeating ? <RepeatForm panelId={panel.id} message={message} /> : null}
    </li>
  );
}
