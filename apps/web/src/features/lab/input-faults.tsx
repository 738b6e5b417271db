/** Faults of the fields in an instrument's form, shown below the form and announced to screen readers. */
import { FieldError } from '../../shared/ui/field-error.tsx';
import panel from './panel.module.css';

/** @property faults Sentences; null for a valid field. */
export function InputFaults({ id, faults }: { readonly id: string; readonly faults: readonly (string | null)[] }) {
  const said = faults.filter((fault) => fault !== null);
  return (
    <div id={id} aria-live="polite" className={said.length === 0 ? undefined : panel['faults']}>
      {said.map((fault) => (
        <FieldError key={fault}>{fault}</FieldError>
      ))}
    </div>
  );
}

/** Sentences for fields that several forms have. */
export const inputFaults = {
  address: 'An address is 00 to 7F, in hexadecimal.',
  bytes: (most: number) => `Bytes are pairs of hexadecimal digits, such as F4 57, ${most} at most.`,
} as const;

/** Returns the attributes of a field whose fault is shown in the element with this id. */
export const faultOf = (fault: string | null, id: string) =>
  fault === null ? {} : { 'aria-invalid': true, 'aria-describedby': id };
