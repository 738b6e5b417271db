/** Reads fields of foreign JSON. A field that is missing or of another type is an `ImageError` with `not-this-list`. */
import { ImageError } from './image-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseJson(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) {
      return json;
    }
  } catch (cause) {
    const { line, column } = jsonFault(text) ?? { line: 1, column: 1 };
    throw new ImageError('not-json', { cause, where: `Line ${line}, column ${column}` });
  }
  throw new ImageError('not-this-list');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(json: JsonObject, key: string): JsonObject {
  const value = json[key];
  if (!isObject(value)) {
    throw new ImageError('not-this-list');
  }
  return value;
}

export function arrayIn(json: JsonObject, key: string): readonly unknown[] {
  const value = json[key];
  if (!Array.isArray(value)) {
    throw new ImageError('not-this-list');
  }
  return value;
}

/** The first fault of a text that is not JSON. */
export interface JsonFault {
  /** Both from 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** Completes "Line 3, column 5: …". */
  readonly what: string;
  readonly remedy: string;
}

const space = /[ \t\r\n]*/y;
const value =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const unended = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

/**
 * Finds the fault of a text that `JSON.parse` refuses. Messages of engines differ, and Safari's name no place.
 *
 * @returns null for valid JSON.
 */
export function jsonFault(text: string): JsonFault | null {
  /** Brackets that close what is open, innermost last. */
  const open: string[] = [];
  /** Offset of the last comma if nothing but blanks followed it. */
  let comma: number | null = null;
  let expected: 'value' | 'key' | 'colon' | 'end' = 'value';
  let isFirst = false;
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  for (;;) {
    match(space);
    const next = text[at];
    const inside = open.at(-1);
    if (expected === 'end' && inside === undefined) {
      return next === undefined ? null : faultAt(text, at, `${shown(text, at)} follows the end.`, 'Remove it.');
    }
    if (next === undefined) {
      const closing = inside === undefined ? 'a value' : `"${inside}"`;
      return faultAt(text, at, `the text ends, and ${closing} is missing.`, 'Get a complete copy of the file.');
    }
    if (next === inside && (expected === 'end' || isFirst)) {
      open.pop();
      at++;
      [expected, isFirst] = ['end', false];
    } else if (expected === 'end') {
      if (next !== ',') {
        return faultAt(text, at, `a comma or "${inside}" is missing before ${shown(text, at)}.`, 'Add it.');
      }
      comma = at++;
      expected = inside === '}' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (next !== ':') {
        return faultAt(text, at, `a colon is missing before ${shown(text, at)}.`, 'Add it.');
      }
      at++;
      expected = 'value';
    } else if (expected === 'value' && (next === '{' || next === '[')) {
      open.push(next === '{' ? '}' : ']');
      at++;
      [expected, isFirst, comma] = [next === '{' ? 'key' : 'value', true, null];
    } else if ((expected === 'value' || next === '"') && match(value) !== '') {
      [expected, isFirst, comma] = [expected === 'key' ? 'colon' : 'end', false, null];
    } else if (comma !== null && (next === '}' || next === ']' || next === ',')) {
      const { line, column } = placeOf(text, comma);
      return faultAt(text, at, `"${next}" follows a comma.`, `Remove the comma in line ${line}, column ${column}.`);
    } else {
      return next === '"'
        ? textFaultAt(text, at)
        : faultAt(text, at, `${shown(text, at)} is not JSON.`, remedyFor(next));
    }
  }
}

/** Finds the fault inside a text in quotes that begins at `start`. */
function textFaultAt(text: string, start: number): JsonFault {
  unended.lastIndex = start;
  const at = start + (unended.exec(text)?.[0].length ?? 0);
  return text[at] === '\\'
    ? faultAt(text, at, `${shown(text, at)} is no escape of JSON.`, 'Write two backslashes for one.')
    : faultAt(text, at, 'the text in quotes has no end on its line.', 'Add the quote at its end.');
}

function remedyFor(next: string): string {
  if (next === "'" || next === '\u201C' || next === '\u201D') {
    return 'Put names and texts between plain double quotes (").';
  }
  return next === '/' || next === '#' ? 'Remove the comment: JSON has none.' : 'Correct it there.';
}

const LONGEST_SHOWN = 12;

/** Returns the word at a place in quotes, shortened. */
function shown(text: string, at: number): string {
  const [word = ''] = /^(?:[\w.+-]+|\\.|.)/su.exec(text.slice(at, at + LONGEST_SHOWN)) ?? [];
  return /^[\p{Cc}\p{Cf}]/u.test(word) ? 'a control character' : word === '"' ? 'a text in quotes' : `"${word}"`;
}

function placeOf(text: string, at: number): Pick<JsonFault, 'line' | 'column'> {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

const faultAt = (text: string, at: number, what: string, remedy: string): JsonFault => ({
  ...placeOf(text, at),
  what,
  remedy,
});
