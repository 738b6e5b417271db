/** Tests frames by comparisons over their fields (`comparison.ts`). */
import { type Comparison, type Operator, parseNumber } from './comparison.ts';
import type { DecodedField, DecodedFrame } from './frame-types.ts';

/** Fields that every frame has besides its own. */
const frameFields = ['who', 'message', 'kind', 'key'] as const;

/** Returns the names under which a comparison finds the fields of a frame. `svs.3.cno` is also `svs.cno`. */
export function namesOfFrame({ decoder, fields }: DecodedFrame): Set<string> {
  const names = new Set<string>(frameFields);
  for (const { name } of fields) {
    names.add(name).add(withoutNumbers(name));
  }
  return new Set([...names, ...[...names].map((name) => `${decoder}.${name}`)]);
}

const withoutNumbers = (name: string) => (/\.\d/.test(name) ? name.replaceAll(/\.\d+(?=\.|$)/g, '') : name);

/** Prepares a comparison. A frame without the field, or without a value in it, does not match. */
function compileComparison({ name, operator, value }: Comparison): (frame: DecodedFrame) => boolean {
  const wanted = name.toLowerCase();
  const test = fieldTest(operator, value);
  return (frame) => {
    const prefix = `${frame.decoder.toLowerCase()}.`;
    const own = frame.decoder !== '' && wanted.startsWith(prefix) ? wanted.slice(prefix.length) : wanted;
    let isFound = false;
    for (const field of frame.fields) {
      const fieldName = field.name.toLowerCase();
      if (fieldName === own || fieldName === wanted || withoutNumbers(fieldName) === own) {
        isFound = true;
        if (test(field)) {
          return true;
        }
      }
    }
    const general = frameFields.find((one) => one === own);
    return !isFound && general !== undefined && test({ name: general, value: frame[general], from: 0, to: 0 });
  };
}

/** Returns true if all comparisons hold. */
export function compileQuery(comparisons: readonly Comparison[]): (frame: DecodedFrame) => boolean {
  const tests = comparisons.map(compileComparison);
  return (frame) => tests.every((test) => test(frame));
}

function fieldTest(operator: Operator, value: Comparison['value']): (field: DecodedField) => boolean {
  switch (operator) {
    case ':':
      return (field) => isEqual(field, value) || contains(field, value);
    case '=':
      return (field) => isEqual(field, value);
    case '!=':
      return (field) => field.value !== null && !isEqual(field, value);
    case '<':
      return (field) => ordered(field, value, (one, other) => one < other);
    case '<=':
      return (field) => ordered(field, value, (one, other) => one <= other);
    case '>':
      return (field) => ordered(field, value, (one, other) => one > other);
    case '>=':
      return (field) => ordered(field, value, (one, other) => one >= other);
  }
}

/** Returns the number of a field; a text that is a number counts, as in NMEA sentences. */
function numberOf({ value }: DecodedField): number | bigint | undefined {
  return typeof value === 'number' || typeof value === 'bigint'
    ? value
    : typeof value === 'string'
      ? parseNumber(value.trim())
      : undefined;
}

/** Compares exactly: JavaScript compares bigint and number by their mathematical values. */
function ordered(
  field: DecodedField,
  value: Comparison['value'],
  holds: (one: number | bigint, other: number | bigint) => boolean,
): boolean {
  const number = numberOf(field);
  return number !== undefined && typeof value !== 'string' && holds(number, value);
}

/** Digits that a line shows of a fraction: what a person sees is found. */
const SHOWN_DIGITS = 8;

function isEqual(field: DecodedField, value: Comparison['value']): boolean {
  const { value: own, named } = field;
  if (own === null) {
    return false;
  }
  const text = String(value).toLowerCase();
  if (typeof own === 'boolean') {
    return (own ? ['true', 'on', '1'] : ['false', 'off', '0']).includes(text);
  }
  const number = numberOf(field);
  if (number !== undefined && typeof value !== 'string') {
    // biome-ignore lint/suspicious/noDoubleEquals: bigint and number are compared by value.
    const isSame = number == value;
    return isSame || (typeof number === 'number' && Number(number.toPrecision(SHOWN_DIGITS)) === value);
  }
  return (typeof own === 'string' && own.toLowerCase() === text) || names(named).includes(text);
}

function contains({ value, named }: DecodedField, wanted: Comparison['value']): boolean {
  const text = String(wanted).toLowerCase();
  const isText = typeof wanted === 'string';
  return (
    (typeof value === 'string' && isText && value.toLowerCase().includes(text)) ||
    (isText && (named ?? '').toLowerCase().includes(text))
  );
}

const names = (named: string | undefined) =>
  named === undefined ? [] : [named.toLowerCase(), ...named.toLowerCase().split(', ')];
