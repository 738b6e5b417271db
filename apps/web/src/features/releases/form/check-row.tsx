import { useId } from 'react';
import styles from './check-row.module.css';

export interface CheckRowProps {
  readonly label: string;
  /** Sentence below the label. */
  readonly hint?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox of the form with its label beside it, and a hint below. */
export function CheckRow({ label, hint, checked, onChange }: CheckRowProps) {
  const hintId = useId();
  return (
    <div className={styles['check']}>
      <label className={`row ${styles['label']}`}>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint === undefined ? undefined : hintId}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      {hint === undefined ? null : (
        <p id={hintId} className="small">
          {hint}
        </p>
      )}
    </div>
  );
}
