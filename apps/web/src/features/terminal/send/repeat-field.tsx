import { longestRepeat, shortestRepeat } from '@wirebench/serial';
import { Repeat } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import styles from './how-to-send.module.css';
import { readRepeatTime } from './repeat-time.ts';

export interface RepeatFieldProps {
  /** Repeats the content of the send field. */
  readonly onStart: () => void;
}

/** Interval of a repetition, and the button that starts one with the content of the send field. */
export function RepeatField({ onStart }: RepeatFieldProps) {
  const id = useId();
  const value = useTerminalSession((session) => session.repeatTime);
  const wrong = readRepeatTime(value) === null;
  return (
    <div className={styles['row']}>
      <span className="silk">Repeat</span>
      <span className={styles['repeat']}>
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
          onChange={(event) => changeTerminalSession({ repeatTime: event.currentTarget.value })}
        />
        ms
        <Button size="sm" icon={<Repeat />} aria-label="Start repeating" onClick={onStart}>
          Start
        </Button>
      </span>
    </div>
  );
}
