/** Definition of a framing: its title, its options with their form fields, and the factory of its splitter. */
import {
  type ChoiceField,
  fieldFailure,
  type NumberField,
  type OptionField,
  type SwitchField,
} from '@wirebench/port/option-fields';
import type { Splitter } from './splitter.ts';
import { type TypedBytes, typedBytesFailure } from './typed-bytes.ts';

export type FramingOption = number | string | boolean | TypedBytes;
export type FramingOptions = Readonly<Record<string, FramingOption>>;

export interface BytesField {
  readonly kind: 'bytes';
  readonly label: string;
}

export type FramingField = OptionField | BytesField;

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
  if (field.kind !== 'bytes') {
    return fieldFailure(field, value);
  }
  return isTypedBytes(value) ? typedBytesFailure(value) : 'Enter the bytes as text or as hex digits.';
}

function isTypedBytes(value: unknown): value is TypedBytes {
  const { as, typed } = (typeof value === 'object' ? (value ?? {}) : {}) as Partial<Record<keyof TypedBytes, unknown>>;
  return (as === 'text' || as === 'hex') && typeof typed === 'string';
}
