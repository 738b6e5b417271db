/** Everything that a person decides about a pinned message, in the place of its row. Enter saves, Escape does not. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './message-form.module.css';
import { MessageTextField } from './message-text-field.tsx';
import { panelFailureText } from './model/panel-failure.ts';
import { expectedFault, type MessageText, type PinnedMessage } from './model/pinned-message.ts';
import { NumberField, readNumber } from './number-field.tsx';
import { changeMessage } from './store/panel-actions.ts';
import { openForm } from './store/panels-session.ts';

export interface MessageFormProps {
  readonly panelId: string;
  readonly message: PinnedMessage;
  /** The row stands in its place again. */
  readonly onDone: () => void;
}

const numbers = [
  { name: 'timeoutMs', label: 'Wait at most', unit: 'ms' },
  { name: 'delayMs', label: 'Then pause', unit: 'ms' },
  { name: 'repeat', label: 'Times to send', unit: '' },
] as const;

export function MessageForm({ panelId, message, onDone }: MessageFormProps) {
  const [text, setText] = useState<MessageText>(message);
  const [expect, setExpect] = useState<MessageText>(message.expect ?? { content: '', type: message.type });
  const [typed, setTyped] = useState(() => ({
    timeoutMs: String(message.timeoutMs),
    delayMs: String(message.delayMs),
    repeat: String(message.repeat),
  }));
  const [refusal, setRefusal] = useState<string | null>(null);
  const [expectRefusal, setExpectRefusal] = useState<string | null>(null);
  const [tried, setTried] = useState(false);

  const close = () => {
    flushSync(() => openForm(null));
    onDone();
  };
  const save = () => {
    const [timeoutMs, delayMs, repeat] = numbers.map(({ name }) => readNumber(name, typed[name]));
    const fault = expect.content === '' ? null : expectedFault(expect);
    setTried(true);
    setExpectRefusal(fault === null ? null : panelFailureText[fault]);
    if (fault !== null || timeoutMs == null || delayMs == null || repeat == null) {
      return;
    }
    const { content, type } = text;
    const { everyMs } = message;
    const answer = expect.content === '' ? null : { content: expect.content, type: expect.type };
    const refused = changeMessage(panelId, message.id, {
      content,
      type,
      expect: answer,
      timeoutMs,
      delayMs,
      repeat,
      everyMs,
    });
    setRefusal(refused);
    if (refused === null) {
      close();
    }
  };
  return (
    <form
      className={styles['form']}
      aria-label="Edit the message"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
      }}
    >
      <MessageTextField label="Command" text={text} error={refusal} autoFocus onChange={setText} />
      <MessageTextField label="Wait for" hint="nothing" text={expect} error={expectRefusal} onChange={setExpect} />
      {numbers.map(({ name, label, unit }) => (
        <NumberField
          key={name}
          name={name}
          label={label}
          unit={unit}
          value={typed[name]}
          wrong={tried}
          onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <div className={styles['buttons']}>
        <Button size="sm" onClick={close}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
