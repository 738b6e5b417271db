/**
 * Answers of a message and what a run does after each of them. Folded until a person opens it, or if the message has
 * some. It is part of the form of the message.
 */

import type { MessageText } from '@wirebench/runs';
import {
  type AnswerForm,
  answerFault,
  answerForms,
  type FlowAnswer,
  goOn,
  hasReference,
  longestAnswer,
  longestSay,
  type MessageFlow,
  maxAnswers,
  type Then,
  triesLimits,
  writeFlow,
} from '@wirebench/runs';
import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './flow-editor.module.css';
import { NumberField } from './number-field.tsx';
import { usePanels } from './store/panels-store.ts';

export interface FlowEditorProps {
  readonly panelId: string;
  readonly messageId: string;
  readonly text: MessageText;
  /** True: the message waits for an answer without this part of the form. */
  readonly waits: boolean;
  readonly flow: MessageFlow;
  /** Text of the field for the tries. */
  readonly tries: string;
  /** True: saving was refused. Fields show their faults. */
  readonly tried: boolean;
  readonly onChange: (flow: MessageFlow) => void;
  readonly onTries: (text: string) => void;
}

const formNames = { text: 'Text', expression: '/…/', hex: 'Hex' } satisfies Record<AnswerForm, string>;
const hints = { text: 'ERROR', expression: '/heap: (\\d+)/', hex: '06 0D' } satisfies Record<AnswerForm, string>;

interface GoFieldProps {
  readonly label: string;
  /** Accessible name, if the label alone is not unique in the form. */
  readonly name?: string;
  /** Labels of messages to which the run can go. */
  readonly labels: readonly string[];
  readonly go: Then;
  /** True: sending again is not offered. */
  readonly withoutAgain?: boolean;
  readonly onChange: (go: Then) => void;
}

/** Field for what a run does after an answer, with the author's sentence about an end. */
function GoField({ label, name = label, labels, go, withoutAgain = false, onChange }: GoFieldProps) {
  const id = useId();
  const target = go.kind === 'goto' ? go.to : null;
  const isListed = target === null || labels.some((known) => known === target);
  return (
    <div className={styles['go']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <Select
        id={id}
        aria-label={name}
        value={optionOf(go)}
        onChange={(event) => onChange(thenOf(event.currentTarget.value, go))}
      >
        <option value="next">go on</option>
        {withoutAgain ? null : <option value="again">send it again</option>}
        <option value="passed">stop: passed</option>
        <option value="failed">stop: failed</option>
        {labels.map((known) => (
          <option key={known} value={`to ${known}`}>
            go to {known}
          </option>
        ))}
        {isListed ? null : (
          <option value={optionOf(go)}>
            {typeof target === 'number' ? `go to message ${target}` : `go to ${target}`}
          </option>
        )}
        {labels.length === 0 && isListed ? <option disabled>go to a message: give it a label</option> : null}
      </Select>
      {go.kind === 'stop' ? (
        <TextInput
          className={styles['say']}
          aria-label={`${name}: sentence`}
          placeholder="sentence about the end, or none"
          autoComplete="off"
          maxLength={longestSay}
          value={go.say}
          onChange={(event) => onChange({ ...go, say: event.currentTarget.value })}
        />
      ) : null}
    </div>
  );
}

function optionOf(go: Then): string {
  return go.kind === 'goto' ? `to ${go.to}` : go.kind === 'stop' ? (go.passed ? 'passed' : 'failed') : go.kind;
}

function thenOf(value: string, before: Then): Then {
  if (value === 'next' || value === 'again') {
    return { kind: value };
  }
  if (value.startsWith('to ')) {
    return before.kind === 'goto' && optionOf(before) === value ? before : { kind: 'goto', to: value.slice(3) };
  }
  return { kind: 'stop', passed: value === 'passed', say: before.kind === 'stop' ? before.say : '' };
}

export function FlowEditor(props: FlowEditorProps) {
  const { panelId, messageId, text, waits, flow, tries, tried, onChange, onTries } = props;
  const [open, setOpen] = useState(() => writeFlow(flow) !== null);
  const labels = useLabels(panelId, messageId);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  const { answers } = flow;
  const change = (part: Partial<MessageFlow>) => onChange({ ...flow, ...part });
  const changeAnswer = (index: number, part: Partial<FlowAnswer>) =>
    change({ answers: answers.map((answer, place) => (place === index ? { ...answer, ...part } : answer)) });
  const focus = (name: string) => body.current?.querySelector<HTMLElement>(`[data-flow="${name}"]`)?.focus();
  const add = () => {
    flushSync(() => change({ answers: [...answers, { form: 'text', content: '', go: goOn }] }));
    focus(`answer-${answers.length}`);
  };
  const remove = (index: number) => {
    flushSync(() => change({ answers: answers.filter((_, place) => place !== index) }));
    focus(answers.length > 1 ? `answer-${Math.max(0, index - 1)}` : 'add');
  };
  const again = [flow.otherwise, ...answers.map(({ go }) => go)].some(({ kind }) => kind === 'again');
  const hasAnswers = waits || answers.length > 0;
  return (
    <div className={styles['flow']}>
      <Button
        size="sm"
        variant="quiet"
        icon={open ? <ChevronDown /> : <ChevronRight />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Answers and branches
      </Button>
      {/* A reference is offered where it is typed, also while the rest is folded. */}
      {(hasReference(text.content) && text.type === 'ascii') || flow.insert ? (
        <Switch
          label="Insert what answers captured for {1}, {name}"
          checked={flow.insert}
          onChange={(insert) => change({ insert })}
        />
      ) : null}
      <div id={id} ref={body} className={styles['body']} hidden={!open}>
        {answers.map((answer, index) => (
          <AnswerFields
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place in the list
            key={index}
            index={index}
            answer={answer}
            tried={tried}
            labels={labels}
            onChange={(part) => changeAnswer(index, part)}
            onRemove={() => remove(index)}
          />
        ))}
        {answers.length < maxAnswers ? (
          <Button size="sm" variant="quiet" icon={<Plus />} data-flow="add" onClick={add}>
            Add an answer
          </Button>
        ) : null}
        {hasAnswers ? (
          <>
            <GoField
              label="No answer"
              labels={labels}
              go={flow.otherwise}
              onChange={(otherwise) => change({ otherwise })}
            />
            {again ? (
              <>
                <NumberField
                  limits={triesLimits}
                  label="Tries"
                  unit="at most, then"
                  value={tries}
                  wrong={tried}
                  onChange={onTries}
                />
                <GoField
                  label="After them"
                  labels={labels}
                  go={flow.spent}
                  withoutAgain
                  onChange={(spent) => change({ spent })}
                />
              </>
            ) : null}
            <Switch
              label="Wait first, then send"
              checked={flow.waitFirst}
              onChange={(waitFirst) => change({ waitFirst })}
            />
          </>
        ) : null}
      </div>
    </div>
  );
}

interface AnswerFieldsProps {
  readonly index: number;
  readonly answer: FlowAnswer;
  readonly tried: boolean;
  readonly labels: readonly string[];
  readonly onChange: (part: Partial<FlowAnswer>) => void;
  readonly onRemove: () => void;
}

function AnswerFields({ index, answer, tried, labels, onChange, onRemove }: AnswerFieldsProps) {
  const id = useId();
  const name = `Answer ${index + 1}`;
  const fault = tried ? answerFault(answer) : null;
  return (
    <fieldset className={styles['answer']} aria-label={name}>
      <Select
        aria-label={`${name}: form`}
        value={answer.form}
        onChange={(event) => {
          const form = answerForms.find((known) => known === event.currentTarget.value);
          onChange(form === undefined ? {} : { form });
        }}
      >
        {answerForms.map((form) => (
          <option key={form} value={form}>
            {formNames[form]}
          </option>
        ))}
      </Select>
      <TextInput
        mono
        data-flow={`answer-${index}`}
        aria-label={name}
        placeholder={hints[answer.form]}
        maxLength={longestAnswer}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={answer.content}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange({ content: event.currentTarget.value })}
      />
      <IconButton label={`Remove answer ${index + 1}`} variant="quiet" size="sm" icon={<X />} onClick={onRemove} />
      <div id={`${id}-error`} role="alert" className={styles['error']}>
        {fault === null ? null : <FieldError>{fault}</FieldError>}
      </div>
      <GoField
        label="Then"
        name={`After answer ${index + 1}`}
        labels={labels}
        go={answer.go}
        onChange={(go) => onChange({ go })}
      />
    </fieldset>
  );
}

/** Returns the labels to which a branch can go: those of other messages that occur once. */
function useLabels(panelId: string, messageId: string): readonly string[] {
  const panels = usePanels((all) => all);
  const messages = panels.find(({ id }) => id === panelId)?.pinnedMessages ?? [];
  const labels = messages.filter(({ id, label }) => id !== messageId && label !== '').map(({ label }) => label);
  return labels.filter((label) => labels.indexOf(label) === labels.lastIndexOf(label));
}
