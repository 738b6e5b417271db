/**
 * Patterns for text, in the spellings that count as the same. Find, filters, rules and marks use them. Case is ignored as
 * JavaScript's flags `iu` ignore it (simple folding of Unicode's CaseFolding.txt), so a find and an expression agree. A
 * letter with an accent is the same in one character and in two (UAX #15, NFC and NFD).
 */
import { BytePattern } from './byte-pattern.ts';
import type { Span } from './expression/spans.ts';

/**
 * A character with what composes with it: accents, or the vowel and the final of a Korean syllable. U+0345 is the only
 * accent with a case and always the last one, so it ends a part, which limits the spellings of a part.
 */
const partForm = /.(?:(?!\u0345)[\p{M}\u1160-\u11ff])*\u0345?/gsu;
const hasCase = /\p{Changes_When_Casemapped}/u;

const decoder = new TextDecoder('utf-16le');
const encoder = new TextEncoder();
const variants = new Map<string, readonly string[]>();
let casedCharacters: string | null = null;

/** Returns the pattern for a text in its spellings; null for an empty text. */
export function textPattern(text: string, ignoreCase: boolean): BytePattern | null {
  return text === '' ? null : new BytePattern(spelledBytes(text, ignoreCase));
}

/** Returns the pattern for exactly these bytes; null without bytes. */
export function exactPattern(bytes: Uint8Array): BytePattern | null {
  return bytes.length === 0 ? null : new BytePattern(Array.from(bytes, (byte) => [Uint8Array.of(byte)]));
}

/** Returns the first `most` matches of each pattern in a text in UTF-16 units, overlapping ones included. */
export function spansIn(text: string, patterns: readonly BytePattern[], most: number): Span[] {
  const bytes = encoder.encode(text);
  const spans: Span[] = [];
  for (const pattern of patterns) {
    let left = most;
    for (let at = pattern.indexIn(bytes); at !== -1 && left > 0; at = pattern.indexIn(bytes, at + 1)) {
      spans.push({ start: at, end: pattern.matchEnd });
      left--;
    }
  }
  if (spans.length === 0 || bytes.length === text.length) {
    return spans;
  }
  const units = unitsOf(text, bytes.length);
  return spans.map(({ start, end }) => ({ start: units[start] as number, end: units[end] as number }));
}

/** Returns the UTF-16 unit at which each character begins, by its offset in UTF-8; other offsets have 0. */
function unitsOf(text: string, length: number): Int32Array {
  const units = new Int32Array(length + 1);
  let offset = 0;
  let unit = 0;
  for (const character of text) {
    units[offset] = unit;
    const code = character.codePointAt(0) ?? 0;
    offset += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    unit += character.length;
  }
  units[offset] = unit;
  return units;
}

/**
 * Returns the spellings of each part of a text in turn, in UTF-8. No spelling of a part begins or ends with another one of
 * it.
 *
 * @param ignoreCase True: letters of either case are the same.
 */
export function spelledBytes(text: string, ignoreCase: boolean): readonly (readonly Uint8Array[])[] {
  const known = new Map<string, readonly Uint8Array[]>();
  return Array.from(text.toWellFormed().match(partForm) ?? [], (part) => {
    const spelled = known.get(part) ?? spellingsOf(part, ignoreCase).map((spelling) => encoder.encode(spelling));
    known.set(part, spelled);
    return spelled;
  });
}

function spellingsOf(part: string, ignoreCase: boolean): readonly string[] {
  const forms = [part, part.normalize('NFC'), part.normalize('NFD')];
  return [...new Set(ignoreCase ? forms.flatMap(inEachCase) : forms)];
}

function inEachCase(form: string): readonly string[] {
  let spelled: readonly string[] = [''];
  for (const character of form) {
    const letters = inBothCases(character);
    spelled = spelled.flatMap((before) => letters.map((letter) => before + letter));
  }
  return spelled;
}

/** Returns all characters that are this one if case is ignored. */
function inBothCases(character: string): readonly string[] {
  if (!hasCase.test(character)) {
    return [character];
  }
  let found = variants.get(character);
  if (found === undefined) {
    casedCharacters ??= findCasedCharacters();
    found = casedCharacters.match(new RegExp(character, 'giu')) ?? [character];
    variants.set(character, found);
  }
  return found;
}

/** Returns the characters that have a case, of the first two planes: there are none in others. */
function findCasedCharacters(): string {
  const units = new Uint16Array(3 << 16);
  for (let code = 0; code <= 0xffff; code++) {
    units[code] = code;
    units[0x1_0000 + 2 * code] = 0xd800 | (code >> 10);
    units[0x1_0001 + 2 * code] = 0xdc00 | (code & 0x3ff);
  }
  return (decoder.decode(units).match(new RegExp(hasCase, 'gu')) ?? []).join('');
}
