import { messageName, messageNumbers, type PinnedMessage } from '@wirebench/runs';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './message-form.module.css';
import { NumberField, readNumber } from './number-field.tsx';
import { isAtMessage, startRepeat, stopRun, useRuns } from './run/runs.ts';
import { rememberRepeat } from './store/panel-actions.ts';
import { openForm } from './store/panels-session.ts';

export interface RepeatFormProps {
  readonly panelId: string;
  readonly message: PinnedMessage;
}

/** Closes the form and moves the focus to the row's send button. */
function close(form: Element): void {
  form.closest('[data-message]')?.querySelector<HTMLElement>('[data-control="send"]')?.focus();
  openForm(null);
}

/** Form below a row: interval, start and stop of a repetition. */
export function RepeatForm({ panelId, message }: RepeatFormProps) {
  const { id: messageId } = message;
  const run = useRuns(({ running }) => running[panelId]);
  const own = run?.kind === 'repeat' && isAtMessage(run, messageId);
  const [every, setEvery] = useState(String(message.everyMs));
  const [refused, setRefused] = useState(false);
  const start = () => {
    const everyMs = readNumber(messageNumbers.everyMs, every);
    setRefused(everyMs === null);
    if (everyMs !== null) {
      if (everyMs !== message.everyMs) {
        rememberRepeat(panelId, messageId, everyMs);
      }
      void startRepeat(panelId, messageId);
    }
  };
  return (
    <form
      className={styles['repeat']}
      aria-label={`Repeat ${messageName(message)}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (own) {
          stopRun(panelId);
        } else {
          start();
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close(event.currentTarget);
        }
      }}
    >
      <NumberField
        limits={messageNumbers.everyMs}
        label="Every"
        unit="ms"
        value={every}
        wrong={refused}
        disabled={own}
        autoFocus
        onChange={setEvery}
      />
      <Button type="submit" size="sm" variant={own ? 'default' : 'primary'} disabled={run !== undefined && !own}>
        {own ? 'Stop' : 'Start'}
      </Button>
      <Button size="sm" variant="quiet" onClick={(event) => close(event.currentTarget)}>
        Close
      </Button>
    </form>
  );
}
