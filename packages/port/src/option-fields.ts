/** One option as data. Forms, stores and addresses are made from it. */

export interface NumberField {
  readonly kind: 'number';
  readonly label: string;
  /** Unit of the number, in the plural. */
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly hint: string;
}

export interface ChoiceField<Value extends string | number = string | number> {
  readonly kind: 'choice';
  readonly label: string;
  /** Full name of the field; `label` is its short form. */
  readonly name: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  /** Effect of the choices. A field with a hint is drawn as a list. */
  readonly hint?: string;
}

export interface SwitchField {
  readonly kind: 'switch';
  readonly label: string;
}

export type OptionField = NumberField | ChoiceField | SwitchField;

/** Returns a sentence that says why a field cannot have this value; null for a valid value. */
export function fieldFailure(field: OptionField, value: unknown): string | null {
  switch (field.kind) {
    case 'number': {
      const { unit, least, most } = field;
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
      return fits ? null : `Enter a whole number of ${unit} from ${least} to ${most}.`;
    }
    case 'choice':
      return field.choices.some((choice) => choice.value === value) ? null : 'Choose one of these.';
    case 'switch':
      return typeof value === 'boolean' ? null : 'Choose on or off.';
  }
}
