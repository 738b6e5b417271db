/** Values of NVS as text that people read and edit, and the way back. */
import { count, hexBytes } from '@wirebench/port/numbers';
import { isIntegerType, type NvsType, type NvsValue, utf8Text } from './nvs-value.ts';

/**
 * - `number`: decimal.
 * - `text`: UTF-8. `padded`: UTF-8 with NULs up to a fixed size. `counted`: a length of 4 bytes, then up to 32 bytes.
 * - `hex`: pairs of hexadecimal digits.
 */
export type ValueForm = 'number' | 'text' | 'padded' | 'counted' | 'hex';

type ParsedValue =
  | { readonly ok: true; readonly value: NvsValue }
  /** The fault and what is possible, as one or two sentences. */
  | { readonly ok: false; readonly fault: string };

/** Size of an SSID as the Wi-Fi library of ESP-IDF stores it, in bytes: its length, and 32 characters. */
const SSID_SIZE = 36;
/** Blobs below this size are more likely numbers than text. */
const MIN_TEXT_SIZE = 4;
/** Longest string without its NUL, in bytes (ESP-IDF Programming Guide, "Keys and Values"). */
const MAX_STRING_SIZE = 3_999;

const encoder = new TextEncoder();

/** Returns true for text that a field of a page holds without changing it. */
function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  return !/[\0-\x08\x0b-\x1f\x7f]/.test(text);
}

function plainText(bytes: Uint8Array): string | null {
  const text = utf8Text(bytes);
  return text !== null && isPlain(text) ? text : null;
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) {
    end--;
  }
  return bytes.subarray(0, end);
}

/** Returns the bytes of an SSID; null if the blob is not one. */
function countedBytes(bytes: Uint8Array): Uint8Array | null {
  const [length = 0, ...rest] = bytes.subarray(0, 4);
  return bytes.length === SSID_SIZE && length <= 32 && rest.every((byte) => byte === 0)
    ? bytes.subarray(4, 4 + length)
    : null;
}

/** Returns the form that shows a value best. */
export function formOf(namespace: string | null, key: string, value: NvsValue): ValueForm {
  if ('value' in value) {
    return 'number';
  }
  const { type, bytes } = value;
  if (type === 'str') {
    return plainText(bytes) === null ? 'hex' : 'text';
  }
  if (namespace === 'nvs.net80211' && key.endsWith('.ssid')) {
    const name = countedBytes(bytes);
    return name !== null && plainText(name) !== null ? 'counted' : 'hex';
  }
  const text = withoutPadding(bytes);
  if (text.length < MIN_TEXT_SIZE || plainText(text) === null) {
    return 'hex';
  }
  return text.length === bytes.length ? 'text' : 'padded';
}

/** Returns a value as text; null if the form cannot show it. */
export function textIn(value: NvsValue, form: ValueForm): string | null {
  if ('value' in value) {
    return `${value.value}`;
  }
  const { bytes } = value;
  switch (form) {
    case 'text':
      return plainText(bytes);
    case 'padded':
      return plainText(withoutPadding(bytes));
    case 'counted': {
      const name = countedBytes(bytes);
      return name === null ? null : plainText(name);
    }
    default:
      return hexBytes(bytes);
  }
}

/** Returns a value as text, in hex if the form cannot show it. */
export function valueText(value: NvsValue, form: ValueForm): string {
  return textIn(value, form) ?? textIn(value, 'hex') ?? '';
}

/**
 * Returns a value on one line.
 *
 * @param length Characters after which it is cut.
 */
export function shortText(namespace: string | null, key: string, value: NvsValue, length: number): string {
  const form = formOf(namespace, key, value);
  const text =
    'bytes' in value && form === 'hex'
      ? hexBytes(value.bytes.subarray(0, length))
      : valueText(value, form).replaceAll('\n', '↵').replaceAll('\t', ' ');
  const characters = Array.from(text.slice(0, 2 * (length + 1)));
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}

/** Returns the lowest and the highest number of an integer type. */
function limitsOf(type: string): readonly [bigint, bigint] {
  const bits = BigInt(type.slice(1));
  return type.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/**
 * Reads what a person typed.
 *
 * @param size Size of a padded blob, in bytes.
 */
export function parseValue(text: string, type: NvsType, form: ValueForm, size = 0): ParsedValue {
  if (isIntegerType(type)) {
    return parseInteger(text, type);
  }
  const bytes = form === 'hex' ? parseHex(text) : parseText(text, form, size);
  if (typeof bytes === 'string') {
    return { ok: false, fault: bytes };
  }
  if (type === 'str' && bytes.length > MAX_STRING_SIZE) {
    return {
      ok: false,
      fault: `A string has at most ${count(MAX_STRING_SIZE)} bytes. This has ${count(bytes.length)}.`,
    };
  }
  if (type === 'str' && bytes.includes(0)) {
    return { ok: false, fault: 'A string cannot hold the byte 00. Store the value as a blob.' };
  }
  return { ok: true, value: { type, bytes } };
}

function parseInteger(text: string, type: Extract<NvsType, `${'u' | 'i'}${number}`>): ParsedValue {
  const [least, greatest] = limitsOf(type);
  const fault = `${type} takes whole numbers from ${least} to ${greatest}, also as 0x….`;
  const [, sign = '', digits = ''] = /^\s*([+-]?)(0x[\da-f]+|\d+)\s*$/i.exec(text) ?? [];
  if (digits === '') {
    return { ok: false, fault };
  }
  const size = BigInt(digits);
  const isPattern = sign === '' && /^0x/i.test(digits) && size <= limitsOf(`u${type.slice(1)}`)[1];
  // Hexadecimal is how the bits are written, so 0xFFF4 is -12 in 16 bits.
  const value = isPattern
    ? least === 0n
      ? size
      : BigInt.asIntN(Number(type.slice(1)), size)
    : sign === '-'
      ? -size
      : size;
  return value < least || value > greatest ? { ok: false, fault } : { ok: true, value: { type, value } };
}

/** Returns the bytes, or the fault as a sentence. */
function parseHex(text: string): Uint8Array | string {
  const digits = text.replaceAll(/[\s:,]|0x/gi, '');
  if (!/^([\da-f]{2})*$/i.test(digits)) {
    return 'Hex is two digits for each byte, such as 0A FF.';
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function parseText(text: string, form: ValueForm, size: number): Uint8Array | string {
  const bytes = encoder.encode(text);
  if (form === 'text') {
    return bytes;
  }
  const [room, total, start] = form === 'counted' ? [32, SSID_SIZE, 4] : [size - 1, size, 0];
  if (bytes.length > room) {
    return `This value has room for ${room} bytes. The text has ${bytes.length}.`;
  }
  const field = new Uint8Array(total);
  field.set(bytes, start);
  if (form === 'counted') {
    field[0] = bytes.length;
  }
  return field;
}

/** `0xFFF4`: the bits of an integer, with as many digits as its type has. Null for numbers that read the same. */
export function bitsText(value: NvsValue): string | null {
  if (!('value' in value) || (value.value >= 0n && value.value < 10n)) {
    return null;
  }
  const bits = Number(value.type.slice(1));
  const digits = BigInt.asUintN(bits, value.value).toString(16).toUpperCase();
  return `0x${value.value < 0n ? digits.padStart(bits / 4, '0') : digits.padStart(digits.length + (digits.length % 2), '0')}`;
}
