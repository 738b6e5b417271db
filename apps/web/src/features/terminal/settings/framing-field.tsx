/** Where a received line ends: text ends at newlines, packets of a binary protocol after a silence. */
import { defaultFraming, type Framing, longestIdleGap, shortestIdleGap } from '@wirebench/serial';
import { useId, useState } from 'react';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './port-pane.module.css';
import { isIdleGap } from './terminal-settings.ts';

/** Long enough that a USB bridge, which hands on what it has every 16 ms at worst, does not cut a packet in two. */
const usualGap = 20;

const ends = ['newline', 'silence', 'both'] as const;

const labels = {
  newline: 'At newlines',
  silence: 'After a pause',
  both: 'At both',
} satisfies Record<(typeof ends)[number], string>;

export interface FramingFieldProps {
  readonly framing: Framing;
  readonly onChange: (framing: Framing) => void;
}

export function FramingField({ framing: { newline, idleGap }, onChange }: FramingFieldProps) {
  const id = useId();
  const end = idleGap === null ? 'newline' : newline ? 'both' : 'silence';
  const choose = (value: string) =>
    onChange(value === 'newline' ? defaultFraming : { newline: value === 'both', idleGap: idleGap ?? usualGap });
  return (
    <>
      <div className={styles['row']}>
        <label htmlFor={id} className="silk">
          Split lines
        </label>
        <Select id={id} value={end} onChange={(event) => choose(event.currentTarget.value)}>
          {ends.map((value) => (
            <option key={value} value={value}>
              {labels[value]}
            </option>
          ))}
        </Select>
      </div>
      {idleGap === null ? null : <GapField gap={idleGap} onChange={(gap) => onChange({ newline, idleGap: gap })} />}
    </>
  );
}

interface GapFieldProps {
  readonly gap: number;
  readonly onChange: (gap: number) => void;
}

function GapField({ gap, onChange }: GapFieldProps) {
  const ids = { gap: useId(), hint: useId() };
  const [typed, setTyped] = useState(String(gap));
  const valid = isGap(typed);
  const take = (text: string) => {
    setTyped(text);
    if (isGap(text)) {
      onChange(Number(text));
    }
  };
  return (
    <div className={styles['row']}>
      <label htmlFor={ids.gap} className="silk">
        Pause
      </label>
      <TextInput
        id={ids.gap}
        mono
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        aria-invalid={valid ? undefined : true}
        aria-describedby={ids.hint}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <div id={ids.hint} className={styles['under']}>
        {valid ? (
          <p className={styles['explanation']}>Milliseconds. USB bridges buffer for up to 16.</p>
        ) : (
          <p role="alert" className={styles['error']}>
            Enter a whole number of milliseconds from {shortestIdleGap} to {longestIdleGap}.
          </p>
        )}
      </div>
    </div>
  );
}

const isGap = (text: string) => /^\d+$/.test(text.trim()) && isIdleGap(Number(text));
