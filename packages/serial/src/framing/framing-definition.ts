/** Definition of a framing: its title, its options with their form fields, and the factory of its splitter. */
import type { Splitter } from './splitter.ts';
import { type TypedBytes, typedBytesFailure } from './typed-bytes.ts';

export type FramingOption = number | string | boolean | TypedBytes;
export type FramingOptions = Readonly<Record<string, FramingOption>>;

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
}

interface SwitchField {
  readonly kind: 'switch';
  readonly label: string;
}

export interface BytesField {
  readonly kind: 'bytes';
  readonly label: string;
}

export type FramingField = NumberField | ChoiceField | SwitchField | BytesField;

/** The field for one option, by the option's type. */
type FieldOf<Option> = [Option] extends [boolean]
  ? SwitchField
  : [Option] extends [TypedBytes]
    ? BytesField
    : number extends Option
      ? NumberField
      : [Option] extends [string | number]
        ? ChoiceField<Option>
        : never;

export interface FramingDefinition<Options> {
  /** Title, worded as an answer to “Split lines”. */
  readonly title: string;
  /** Purpose of the framing, in a sentence. */
  readonly use: string;
  readonly defaults: Options;
  readonly fields: { readonly [Name in keyof Options]: FieldOf<Options[Name]> };
  /**
   * Creates a splitter at the beginning of a frame.
   *
   * @throws RangeError for options that the fields refuse.
   */
  splitter(options: Options): Splitter;
}

/** A definition for code that does not know its options. */
export interface AnyFraming {
  readonly title: string;
  readonly use: string;
  readonly defaults: FramingOptions;
  readonly fields: Readonly<Record<string, FramingField>>;
  splitter(options: FramingOptions): Splitter;
}

/** Checks the definition's types: each option has the field that its type needs. */
export function defineFraming<Options>(definition: FramingDefinition<Options>): FramingDefinition<Options> {
  return definition;
}

/** Returns a sentence that says why a field cannot have this value; null for a valid value. */
export function optionFailure(field: FramingField, value: unknown): string | null {
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
    case 'bytes':
      return isTypedBytes(value) ? typedBytesFailure(value) : 'Enter the bytes as text or as hex digits.';
  }
}

function isTypedBytes(value: unknown): value is TypedBytes {
  const { as, typed } = (typeof value === 'object' ? (value ?? {}) : {}) as Partial<Record<keyof TypedBytes, unknown>>;
  return (as === 'text' || as === 'hex') && typeof typed === 'string';
}
