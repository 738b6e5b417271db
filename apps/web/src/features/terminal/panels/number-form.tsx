/** Form below a row that asks for the number of a message and sends it. Loaded when it is first opened. */
import { type MessageValue, messageName, nearestValue, type PinnedMessage, sentNumber } from '@wirebench/runs';
import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './message-form.module.css';
import { readDecimal } from './number-field.tsx';
import { useChosenNumber } from './run/chosen-numbers.ts';
import { sendMessage } from './run/runs.ts';
import { openForm } from './store/panels-session.ts';

export interface NumberFormProps {
  readonly panelId: string;
  readonly message: PinnedMessage;
  readonly numbers: MessageValue;
}

export function NumberForm({ panelId, message, numbers }: NumberFormProps) {
  const chosen = useChosenNumber(message);
  const [text, setText] = useState(() => sentNumber(numbers, chosen ?? numbers.from));
  const [tried, setTried] = useState(false);
  const id = useId();
  const value = readDecimal(text);
  const isRight = value !== null && nearestValue(numbers, value) === value;
  const { from, to, step, unit } = numbers;
  const close = (form: Element) => {
    form.closest('[data-message]')?.querySelector<HTMLElement>('[data-control="send"]')?.focus();
    openForm(null);
  };
  return (
    <form
      className={styles['repeat']}
      aria-label={`Number for ${messageName(message)}`}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(!isRight);
        if (isRight) {
          void sendMessage(panelId, message.id, value);
          close(event.currentTarget);
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close(event.currentTarget);
        }
      }}
    >
      <div className={styles['number']}>
        <label htmlFor={id} className="silk">
          Number
        </label>
        <TextInput
          id={id}
          mono
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={text}
          aria-invalid={tried && !isRight ? true : undefined}
          aria-describedby={`${id}-unit ${id}-error`}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <span id={`${id}-unit`} className="small">
          {unit}
        </span>
        <div id={`${id}-error`} role="alert" className={styles['error']}>
          {tried && !isRight ? (
            <FieldError>{`Enter a number from ${from} to ${to}, in steps of ${step}.`}</FieldError>
          ) : null}
        </div>
      </div>
      <Button type="submit" size="sm" variant="primary">
        Send
      </Button>
      <Button size="sm" variant="quiet" onClick={(event) => close(event.currentTarget)}>
        Close
      </Button>
    </form>
  );
}
