/** Formats numbers, characters and texts like GDB. */
import { baseEncoding } from '../dwarf/constants.ts';
import type { Type } from '../dwarf/types.ts';

type BaseType = Extract<Type, { kind: 'base' }>;

/** Returns true for character types of one byte. GDB shows them as characters, whatever their name. */
export const isCharacter = ({ size, encoding }: BaseType): boolean =>
  size === 1 &&
  (encoding === baseEncoding.signedChar || encoding === baseEncoding.unsignedChar || encoding === baseEncoding.utf);

/**
 * Formats a value; null for an unsupported kind of number.
 * @param bytes as many as the type has, little-endian
 */
export function baseText(type: BaseType, bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { encoding } = type;
  if (encoding === baseEncoding.float) {
    return bytes.length === 4
      ? floatText(view.getFloat32(0, true), 9)
      : bytes.length === 8
        ? floatText(view.getFloat64(0, true), 17)
        : null;
  }
  const number = integer(view, encoding === baseEncoding.signed || encoding === baseEncoding.signedChar);
  if (number === null || encoding === baseEncoding.complexFloat) {
    return null;
  }
  if (encoding === baseEncoding.boolean) {
    return number === 0n ? 'false' : number === 1n ? 'true' : `${number}`;
  }
  return isCharacter(type) ? `${number} ${quoted(bytes, "'")}` : `${number}`;
}

function integer(view: DataView, isSigned: boolean): bigint | null {
  switch (view.byteLength) {
    case 1:
      return BigInt(isSigned ? view.getInt8(0) : view.getUint8(0));
    case 2:
      return BigInt(isSigned ? view.getInt16(0, true) : view.getUint16(0, true));
    case 4:
      return BigInt(isSigned ? view.getInt32(0, true) : view.getUint32(0, true));
    case 8:
      return isSigned ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
    default:
      return null;
  }
}

/** Formats like C's `%g`, with enough digits to distinguish all numbers. */
function floatText(value: number, digits: number): string {
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'inf' : '-inf';
  }
  if (value === 0) {
    return Object.is(value, -0) ? '-0' : '0';
  }
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) {
    return withoutZeros(value.toFixed(digits - 1 - exponent));
  }
  const sign = exponent < 0 ? '-' : '+';
  return `${withoutZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const withoutZeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const escapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  27: '\\033',
  92: '\\\\',
};

/** Returns a C literal. Non-ASCII characters are kept in valid UTF-8, and written in octal otherwise. */
export function quoted(bytes: Uint8Array, quote: '"' | "'" = '"'): string {
  const utf8 = decoded(bytes);
  const text = utf8 ?? String.fromCharCode(...bytes);
  const written = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === quote) {
      return `\\${quote}`;
    }
    const isPrintable = (code >= 0x20 && code < 0x7f) || (utf8 !== null && code > 0xa0);
    return escapes[code] ?? (isPrintable ? character : `\\${code.toString(8).padStart(3, '0')}`);
  });
  return `${quote}${written.join('')}${quote}`;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}
