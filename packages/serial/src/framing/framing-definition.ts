/** What a framing says of itself: its title, its options with their fields in a form, and how to make its splitter. */
import type { Splitter } from './splitter.ts';
import { type TypedBytes, typedBytesFailure } from './typed-bytes.ts';

export type FramingOption = number | string | boolean | TypedBytes;
export type FramingOptions = Readonly<Record<string, FramingOption>>;

export interface NumberField {
  readonly kind: 'number';
  readonly label: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly hint: string;
}

export interface ChoiceField<Value extends string | number = string | number> {
  readonly kind: 'choice';
  readonly label: string;
  /** What the label stands for, in full. */
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

/** The field for one option, by its type. */
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
  /** As an answer to “Split lines”. */
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly use: string;
  readonly defaults: Options;
  readonly fields: { readonly [Name in keyof Options]: FieldOf<Options[Name]> };
  /** A splitter at the beginning of a frame. Throws a RangeError for options that its fields refuse. */
  splitter(options: Options): Splitter;
}

/** A definition for whoever does not know its options. */
export interface AnyFraming {
  readonly title: string;
  readonly use: string;
  readonly defaults: FramingOptions;
  readonly fields: Readonly<Record<string, FramingField>>;
  splitter(options: FramingOptions): Splitter;
}

/** Checks the definition's types: each option has the field that it needs. */
export function defineFraming<Options>(definition: FramingDefinition<Options>): FramingDefinition<Options> {
  return definition;
}

/** Why a field cannot have this value, in a sentence; null when it can. */
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
