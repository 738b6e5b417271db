/** Values and fields of a frame as text of one line. */
import type { DecodedField, FieldValue } from './frame-types.ts';

/** Fields that a line without a template names; further ones are counted. */
const MAX_NAMED = 12;
/** Bytes and characters of one value in a line. */
const MAX_BYTES = 16;
const MAX_TEXT = 120;
/** Digits of a fraction in a line. The field has all of them. */
const MAX_DIGITS = 8;

/** Signs that follow a number without a space. */
const signs = /^[°′″]$/;

/** Returns the name of a field as people read it. */
export const labelOf = ({ name, title }: { readonly name: string; readonly title?: string | undefined }): string =>
  title ?? name;

/** Returns a value as a line shows it: its name, or its number with the unit: `3.12 A`, `47.660304°`. No value is empty. */
export function valueText({ value, named, unit }: DecodedField): string {
  if (named !== undefined && named !== '') {
    return named;
  }
  const text = plainText(value);
  return unit === undefined || text === '' ? text : `${text}${signs.test(unit) ? '' : ' '}${unit}`;
}

function plainText(value: FieldValue): string {
  if (value === null) {
    return '';
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) || !Number.isFinite(value)
      ? String(value)
      : String(Number(value.toPrecision(MAX_DIGITS)));
  }
  if (value instanceof Uint8Array) {
    return bytesText(value);
  }
  return typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : String(value);
}

function bytesText(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, MAX_BYTES), (byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
  return bytes.length > MAX_BYTES ? `${shown.join(' ')} … ${bytes.length} bytes` : shown.join(' ');
}

/** Returns the length in words: `12 bytes`. */
export function bytesCount({ length }: Uint8Array): string {
  return `${length} ${length === 1 ? 'byte' : 'bytes'}`;
}

/** Returns all fields as `name value`, with a comma between them. */
export function fieldsText(fields: readonly DecodedField[]): string {
  const named: string[] = [];
  let more = 0;
  for (const field of fields) {
    if (field.value === null) {
      continue;
    }
    if (named.length < MAX_NAMED) {
      named.push(`${labelOf(field)} ${valueText(field)}`);
    } else {
      more++;
    }
  }
  return more === 0 ? named.join(', ') : `${named.join(', ')}, ${more} more`;
}

/** A template, prepared: `read {count} from {address}: {values.*}`. */
export type Template = (fields: readonly DecodedField[]) => string;

/**
 * Prepares a template. `{name}` is the value of a field, `{name.*}` the values of all fields that begin with `name.`,
 * `{fields}` all fields with their names. A field without a value leaves its place empty.
 */
export function template(text: string): Template {
  const parts = text.split(/\{([\w.*]+)\}/);
  return (fields) => {
    let line = '';
    for (const [index, part] of parts.entries()) {
      line += index % 2 === 0 ? part : placeText(part, fields);
    }
    return line;
  };
}

function placeText(name: string, fields: readonly DecodedField[]): string {
  if (name === 'fields') {
    return fieldsText(fields);
  }
  if (name.endsWith('.*')) {
    const prefix = name.slice(0, -1);
    const all = fields.filter((field) => field.name.startsWith(prefix));
    const shown = all.slice(0, MAX_NAMED).map(valueText).join(', ');
    return all.length > MAX_NAMED ? `${shown}, ${all.length - MAX_NAMED} more` : shown;
  }
  const field = fields.find((one) => one.name === name);
  return field === undefined ? '' : valueText(field);
}
