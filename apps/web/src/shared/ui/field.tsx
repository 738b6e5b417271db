import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { FieldError } from './field-error.tsx';

/** Attributes that connect a control with its label, hint and error. Spread them on the control. */
interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

export interface FieldProps {
  readonly label: string;
  /** Error and remedy. Announced when it appears. */
  readonly error?: string | null | undefined;
  readonly hint?: ReactNode;
  readonly layout?: 'above' | 'left' | undefined;
  readonly children: (ids: FieldIds) => ReactNode;
}

/** A control with its label, and an error or a hint below it. */
export function Field({ label, error, hint, layout = 'above', children }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const describedBy = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ');
  return (
    <div className={classNames(styles['field'], layout === 'left' && styles['left'])}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <div className={styles['control']}>
        {children({
          id,
          ...(describedBy ? { 'aria-describedby': describedBy } : {}),
          ...(error ? { 'aria-invalid': true } : {}),
        })}
        {hint ? (
          <div id={hintId} className={`small ${styles['hint']}`}>
            {hint}
          </div>
        ) : null}
        <div id={errorId} role="alert">
          {error ? <FieldError>{error}</FieldError> : null}
        </div>
      </div>
    </div>
  );
}
