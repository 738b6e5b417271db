/** Field for what a run does after an answer, with the author's sentence about an end. */
import { useId } from 'react';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './flow-editor.module.css';
import { longestSay, type Then } from './model/message-flow.ts';

export interface GoFieldProps {
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

export function GoField({ label, name = label, labels, go, withoutAgain = false, onChange }: GoFieldProps) {
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
