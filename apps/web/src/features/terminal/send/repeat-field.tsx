import { longestRepeat, shortestRepeat } from '@wirebench/serial';
import { useId } from 'react';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { readRepeatTime } from './repeat-time.ts';
import styles from './send-bar.module.css';

export interface RepeatFieldProps {
  /** Interval as typed. Null: messages are sent once. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Checkbox and interval for repeating the next message. */
export function RepeatField({ value, onChange }: RepeatFieldProps) {
  const id = useId();
  const wrong = value !== null && readRepeatTime(value) === null;
  return (
    <span className={styles['repeatField']}>
      <label>
        <input
          type="checkbox"
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? '1000' : null)}
        />
        Repeat
      </label>
      {value === null ? null : (
        <>
          <label htmlFor={id}>every</label>
          <TextInput
            id={id}
            mono
            aria-label="Repeat interval in milliseconds"
            inputMode="numeric"
            autoComplete="off"
            value={value}
            aria-invalid={wrong || undefined}
            title={wrong ? `From ${shortestRepeat} to ${longestRepeat}` : undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          ms
        </>
      )}
    </span>
  );
}
