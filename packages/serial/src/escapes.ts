/**
 * Escapes in typed input: `\n \r \t \0 \\`, `\xNN` for one byte and `\u{…}` for a character. Everything else is
 * UTF-8. Input without escapes is in `send-input.ts`.
 */
import { type EncodedInput, inputFailureText, type LineEnding, lineEndingBytes, maxInputLength } from './send-input.ts';

type EscapeFailure = 'unknown-escape' | 'bad-byte-escape' | 'bad-character-escape';

/** Texts by failure. `{at}` is the position of the fault, counted from 1. */
const escapeFailureText = {
  'unknown-escape': 'Character {at}: escapes are \\n \\r \\t \\0 \\\\ \\xNN \\u{…}. Write \\\\ for a backslash.',
  'bad-byte-escape': 'Character {at}: \\x needs two hex digits, as in \\x1B.',
  'bad-character-escape': 'Character {at}: \\u needs a character number in braces, as in \\u{20AC}.',
} satisfies Record<EscapeFailure, string>;

export type EncodedEscapes =
  | Extract<EncodedInput, { readonly ok: true }>
  | { readonly ok: false; readonly code: 'too-long'; readonly message: string }
  | {
      readonly ok: false;
      readonly code: EscapeFailure;
      readonly message: string;
      /** Position of the faulty escape, in UTF-16 units from 0. */
      readonly at: number;
    };

export type UnescapedText =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | {
      readonly ok: false;
      readonly code: EscapeFailure;
      /** Position of the faulty escape, in UTF-16 units from 0. */
      readonly at: number;
    };

const named: Readonly<Record<string, number | undefined>> = { n: 0x0a, r: 0x0d, t: 0x09, '0': 0x00, '\\': 0x5c };
const names: ReadonlyMap<number, string> = new Map(
  Object.entries(named).map(([name, byte]) => [byte ?? 0, `\\${name}`]),
);
const encoder = new TextEncoder();

/**
 * Encodes the input line or a pinned message with escapes.
 *
 * @param limit Most characters. Default: those of a command.
 */
export function encodeEscaped(text: string, lineEnding: LineEnding, limit: number = maxInputLength): EncodedEscapes {
  if (text.length > limit) {
    return { ok: false, code: 'too-long', message: inputFailureText['too-long'] };
  }
  const unescaped = unescapeText(text);
  if (!unescaped.ok) {
    const { code, at } = unescaped;
    return { ok: false, code, at, message: escapeFailureText[code].replace('{at}', `${at + 1}`) };
  }
  return { ok: true, bytes: Uint8Array.from([...unescaped.bytes, ...encoder.encode(lineEndingBytes[lineEnding])]) };
}

/** Converts text with escapes to bytes. */
export function unescapeText(text: string): UnescapedText {
  const bytes: number[] = [];
  let at = 0;
  while (at < text.length) {
    const backslash = text.indexOf('\\', at);
    const plain = text.slice(at, backslash === -1 ? text.length : backslash);
    bytes.push(...encoder.encode(plain));
    at += plain.length;
    if (backslash === -1) {
      break;
    }
    const read = readEscape(text, backslash);
    if (!read.ok) {
      return { ...read, at: backslash };
    }
    bytes.push(...read.bytes);
    at = read.end;
  }
  return { ok: true, bytes: Uint8Array.from(bytes) };
}

/** Converts bytes to text: printable ASCII as it is, the rest as escapes. `unescapeText` reverses it. */
export function escapeBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
    return names.get(byte) ?? plain;
  }).join('');
}

type ReadEscape =
  | { readonly ok: true; readonly bytes: Iterable<number>; readonly end: number }
  | { readonly ok: false; readonly code: EscapeFailure };

function readEscape(text: string, at: number): ReadEscape {
  const letter = text[at + 1] ?? '';
  if (letter === 'x') {
    const digits = /^[0-9a-f]{2}$/i.exec(text.slice(at + 2, at + 4))?.[0];
    return digits === undefined
      ? { ok: false, code: 'bad-byte-escape' }
      : { ok: true, bytes: [Number.parseInt(digits, 16)], end: at + 4 };
  }
  if (letter === 'u') {
    const [whole = '', digits = ''] = /^\{0*([0-9a-f]{1,6})\}/i.exec(text.slice(at + 2)) ?? [];
    const code = Number.parseInt(digits, 16);
    return isCharacter(code)
      ? { ok: true, bytes: encoder.encode(String.fromCodePoint(code)), end: at + 2 + whole.length }
      : { ok: false, code: 'bad-character-escape' };
  }
  const byte = named[letter];
  return byte === undefined ? { ok: false, code: 'unknown-escape' } : { ok: true, bytes: [byte], end: at + 2 };
}

/** Returns true for a Unicode scalar value; UTF-8 cannot encode half of a surrogate pair. False for NaN. */
function isCharacter(code: number): boolean {
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}
