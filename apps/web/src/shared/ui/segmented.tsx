import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedOption<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
}

export interface SegmentedProps<Value extends string | number> {
  /** Accessible name of the group. */
  readonly label: string;
  readonly options: readonly SegmentedOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean | undefined;
}

/**
 * Two to four options, exactly one of which is selected. Native radio buttons: Tab enters the group, and arrow keys
 * choose within it.
 */
export function Segmented<Value extends string | number>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, disabled = false } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles['segmented']}>
      {options.map((option) => (
        <label key={option.value} className={styles['segment']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
