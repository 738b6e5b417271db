import { useId } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './message-form.module.css';

interface NumberLimits {
  readonly least: number;
  readonly most: number;
}

/** Parses the field. Returns null if the text is not an integer within the limits. */
export function readNumber({ least, most }: NumberLimits, text: string): number | null {
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

/** Parses a number with decimals, or returns null. A comma is a point, and a minus sign may be one of text. */
export function readDecimal(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}

export interface NumberFieldProps {
  readonly limits: NumberLimits;
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  /** True: submitting was refused. The field shows its error until the value is valid. */
  readonly wrong: boolean;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
}

export function NumberField({ limits, label, unit, value, wrong, disabled, autoFocus, onChange }: NumberFieldProps) {
  const id = useId();
  const { least, most } = limits;
  const shownWrong = wrong && readNumber(limits, value) === null;
  return (
    <div className={styles['number']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <TextInput
        id={id}
        mono
        inputMode="numeric"
        autoComplete="off"
        value={value}
        disabled={disabled}
        autoFocus={autoFocus}
        onFocus={(event) => event.currentTarget.select()}
        aria-invalid={shownWrong ? true : undefined}
        aria-describedby={`${id}-unit ${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span id={`${id}-unit`} className="small">
        {unit}
      </span>
      <div id={`${id}-error`} role="alert" className={styles['error']}>
        {shownWrong ? <FieldError>{`Enter a whole number from ${count(least)} to ${count(most)}.`}</FieldError> : null}
      </div>
    </div>
  );
}
