/**
 * Form for all fields of a pinned message, shown in place of its row. Enter saves, Escape discards. A toast offers to
 * restore discarded input.
 */

import {
  answerFault,
  expectedFault,
  hasValuePlace,
  longestLabel,
  longestUnit,
  type MessageText,
  type MessageType,
  type MessageValue,
  messageNumbers,
  type PinnedMessage,
  plainFlow,
  sendingsLimits,
  triesLimits,
  usualValue,
  valueFault,
  withValue,
  writeFlow,
} from '@wirebench/runs';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { FlowEditor } from './flow-editor.tsx';
import { MessageFileField } from './message-file-field.tsx';
import styles from './message-form.module.css';
import { panelFailureText } from './model/panel-failure.ts';
import { NumberField, readDecimal, readNumber } from './number-field.tsx';
import { changeMessage } from './store/panel-actions.ts';
import { type MessageDraft, openDraft, openForm } from './store/panels-session.ts';

export interface MessageFormProps {
  readonly panelId: string;
  readonly message: PinnedMessage;
  /** Called after the row has replaced the form. */
  readonly onDone: () => void;
}

const numbers = [
  { name: 'timeoutMs', label: 'Wait at most', unit: 'ms' },
  { name: 'delayMs', label: 'Then pause', unit: 'ms' },
  { name: 'repeat', label: 'Times to send', unit: '' },
] as const;

interface MessageTextFieldProps {
  readonly label: string;
  /** Placeholder that explains the meaning of an empty field. */
  readonly hint?: string;
  readonly text: MessageText;
  readonly error: string | null;
  readonly autoFocus?: boolean;
  readonly onChange: (text: MessageText) => void;
}

/** Field for a text to send or to wait for, with the choice between text and hex. */
function MessageTextField({ label, hint, text, error, autoFocus, onChange }: MessageTextFieldProps) {
  const id = useId();
  return (
    <div className={styles['text']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <TextInput
        id={id}
        mono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={hint}
        value={text.content}
        autoFocus={autoFocus}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange({ content: event.currentTarget.value, type: text.type })}
      />
      <Segmented<MessageType>
        label={`${label}: format`}
        value={text.type}
        options={[
          { value: 'ascii', label: 'Text' },
          { value: 'hex', label: 'Hex' },
        ]}
        onChange={(type) => onChange({ content: text.content, type })}
      />
      <div id={`${id}-error`} role="alert" className={styles['error']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </div>
    </div>
  );
}

type ValueDraft = Pick<MessageDraft, 'typed' | 'whileDragging'>;

const rangeFields = [
  { name: 'from', label: 'From' },
  { name: 'to', label: 'To' },
  { name: 'step', label: 'Step' },
] as const;

/** Returns the typed range, or the sentence about what is wrong with it. */
function readRange({ typed, whileDragging }: ValueDraft): MessageValue | string {
  const [from, to, step] = rangeFields.map(({ name }) => readDecimal(typed[name]));
  const perSecond = readNumber(sendingsLimits, typed.perSecond);
  if (from == null || to == null || step == null) {
    return 'Enter numbers.';
  }
  // The field of the rate says by itself what is wrong.
  return (
    valueFault({ from, to, step }) ??
    (perSecond === null ? '' : { from, to, step, unit: typed.unit.trim(), perSecond, whileDragging })
  );
}

interface ValueFieldsProps extends ValueDraft {
  /** True: submitting was refused. Fields show their faults. */
  readonly tried: boolean;
  readonly onChange: (part: Partial<ValueDraft>) => void;
}

/** Numbers that a person may choose for `{value}`, and how a slider sends them. */
function ValueFields({ typed, whileDragging, tried, onChange }: ValueFieldsProps) {
  const id = useId();
  const range = readRange({ typed, whileDragging });
  const fault = tried && typeof range === 'string' && range !== '' ? range : null;
  const change = (name: keyof MessageDraft['typed'], text: string) => onChange({ typed: { ...typed, [name]: text } });
  return (
    <>
      <div className={styles['range']}>
        {rangeFields.map(({ name, label }) => (
          <div key={name}>
            <label htmlFor={`${id}-${name}`} className="silk">
              {label}
            </label>
            <TextInput
              id={`${id}-${name}`}
              mono
              inputMode="decimal"
              autoComplete="off"
              value={typed[name]}
              aria-invalid={fault === null ? undefined : true}
              aria-describedby={`${id}-error`}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          </div>
        ))}
        <div>
          <label htmlFor={`${id}-unit`} className="silk">
            Unit
          </label>
          <TextInput
            id={`${id}-unit`}
            autoComplete="off"
            placeholder="none"
            maxLength={longestUnit}
            value={typed.unit}
            onChange={(event) => change('unit', event.currentTarget.value)}
          />
        </div>
        <div id={`${id}-error`} role="alert" className={styles['error']}>
          {fault === null ? null : <FieldError>{fault}</FieldError>}
        </div>
      </div>
      <Switch
        label="Slider sends while it is dragged"
        checked={whileDragging}
        onChange={(next) => onChange({ whileDragging: next })}
      />
      <NumberField
        limits={sendingsLimits}
        label="At most"
        unit="times a second"
        value={typed.perSecond}
        wrong={tried}
        onChange={(text) => change('perSecond', text)}
      />
    </>
  );
}

export function MessageForm({ panelId, message, onDone }: MessageFormProps) {
  const [stored] = useState(() => draftOf(message));
  const [draft, setDraft] = useState(() => openDraft() ?? stored);
  const { text, label, hidden, expect, fileBy, fileName, flow, asks, typed, whileDragging } = draft;
  const [refusal, setRefusal] = useState<string | null>(null);
  const [expectRefusal, setExpectRefusal] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const labelId = useId();
  const hiddenId = useId();

  const hasPlace = text.type === 'ascii' && hasValuePlace(text.content);
  const isAsking = hasPlace && asks;
  useNextAction(refusal !== null || expectRefusal !== null, () => {
    setRefusal(null);
    setExpectRefusal(null);
  });
  const unsaved = useRef<MessageDraft | null>(null);
  useEffect(() => {
    unsaved.current = JSON.stringify(draft) === JSON.stringify(stored) ? null : draft;
  }, [draft, stored]);
  useEffect(() => () => offerBack(message.id, unsaved.current), [message.id]);

  const close = () => {
    flushSync(() => openForm(null));
    onDone();
  };
  const change = (part: Partial<MessageDraft>) => setDraft((before) => ({ ...before, ...part }));
  const save = () => {
    const [timeoutMs, delayMs, repeat] = numbers.map(({ name }) => readNumber(messageNumbers[name], typed[name]));
    const tries = readNumber(triesLimits, typed.tries);
    const fault = expect.content === '' ? null : expectedFault(expect);
    setTried(true);
    setExpectRefusal(fault === null ? null : panelFailureText[fault]);
    const value = isAsking ? readRange({ typed, whileDragging }) : null;
    const isWhole = tries !== null && flow.answers.every((given) => answerFault(given) === null);
    if (
      fault !== null ||
      timeoutMs == null ||
      delayMs == null ||
      repeat == null ||
      !isWhole ||
      typeof value === 'string'
    ) {
      return;
    }
    const branches = { ...flow, tries, value };
    const { content, type } = text;
    const { everyMs } = message;
    const answer = expect.content === '' ? null : { content: expect.content, type: expect.type };
    const refused = changeMessage(panelId, message.id, {
      content,
      type,
      label,
      hidden,
      expect: answer,
      file: fileBy === null ? null : { by: fileBy, name: fileName.trim() },
      flow: writeFlow(branches) === null ? null : branches,
      timeoutMs,
      delayMs,
      repeat,
      everyMs,
    });
    setRefusal(refused);
    if (refused === null) {
      unsaved.current = null;
      close();
    }
  };
  return (
    <form
      className={styles['form']}
      aria-label="Edit the command"
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
      <MessageTextField
        label="Command"
        text={text}
        error={refusal}
        autoFocus
        onChange={(next) => change({ text: next })}
      />
      {hasPlace ? (
        <Switch label="Ask for the number {value}" checked={asks} onChange={(next) => change({ asks: next })} />
      ) : null}
      {isAsking ? <ValueFields typed={typed} whileDragging={whileDragging} tried={tried} onChange={change} /> : null}
      <div className={styles['text']}>
        <label htmlFor={labelId} className="silk">
          Label
        </label>
        <TextInput
          id={labelId}
          autoComplete="off"
          maxLength={longestLabel}
          placeholder="none"
          value={label}
          onChange={(event) => change({ label: event.currentTarget.value })}
        />
      </div>
      <Switch
        label="Hide in log and saved run"
        checked={hidden}
        describedBy={hidden ? hiddenId : undefined}
        onChange={(next) => change({ hidden: next })}
      />
      {hidden ? (
        <p id={hiddenId} className={styles['note']}>
          They show only {label.trim() === '' ? 'a name: give it a label' : `[${label.trim()}, hidden]`}. An echo of the
          board is shown. A JKit has the command itself.
        </p>
      ) : null}
      <MessageTextField
        label="Wait for"
        hint="nothing"
        text={expect}
        error={expectRefusal}
        onChange={(next) => change({ expect: next })}
      />
      <MessageFileField by={fileBy} name={fileName} onChange={(by, name) => change({ fileBy: by, fileName: name })} />
      {numbers.map(({ name, label, unit }) => (
        <NumberField
          key={name}
          limits={messageNumbers[name]}
          label={label}
          unit={unit}
          value={typed[name]}
          wrong={tried}
          onChange={(value) => change({ typed: { ...typed, [name]: value } })}
        />
      ))}
      <FlowEditor
        panelId={panelId}
        messageId={message.id}
        text={isAsking ? { ...text, content: withValue(text.content, '') } : text}
        waits={expect.content !== ''}
        flow={flow}
        tries={typed.tries}
        tried={tried}
        onChange={(next) => change({ flow: next })}
        onTries={(tries) => change({ typed: { ...typed, tries } })}
      />
      <div className="buttons tight at-end">
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

function draftOf({
  content,
  type,
  label,
  hidden,
  expect,
  file,
  flow,
  timeoutMs,
  delayMs,
  repeat,
}: PinnedMessage): MessageDraft {
  const numbers = flow?.value ?? usualValue;
  return {
    text: { content, type },
    label,
    hidden,
    expect: { content: expect?.content ?? '', type: expect?.type ?? type },
    fileBy: file?.by ?? null,
    fileName: file?.name ?? '',
    flow: { ...(flow ?? plainFlow), value: null },
    asks: (flow?.value ?? null) !== null || !hasValuePlace(content),
    whileDragging: numbers.whileDragging,
    typed: {
      from: String(numbers.from),
      to: String(numbers.to),
      step: String(numbers.step),
      unit: numbers.unit,
      perSecond: String(numbers.perSecond),
      timeoutMs: String(timeoutMs),
      delayMs: String(delayMs),
      repeat: String(repeat),
      tries: String(flow?.tries ?? triesLimits.usual),
    },
  };
}

function offerBack(messageId: string, draft: MessageDraft | null): void {
  if (draft !== null) {
    offerUndo('Changes to the command discarded', () => openForm({ messageId, kind: 'edit', draft }));
  }
}
