/** What is wrong with what was typed into an instrument's form, and what it takes: below the form, and read out. */
import { FieldError } from '../../shared/ui/field-error.tsx';
import panel from './panel.module.css';

/** @property faults sentences, null for a field that is right */
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

/** Sentences for what more than one form takes. */
export const inputFaults = {
  address: 'An address is 00 to 7F, in hexadecimal.',
  bytes: (most: number) => `Bytes are pairs of hexadecimal digits, such as F4 57, ${most} at most.`,
} as const;

/** What a field has whose fault is said in the element with this id. */
export const faultOf = (fault: string | null, id: string) =>
  fault === null ? {} : { 'aria-invalid': true, 'aria-describedby': id };
