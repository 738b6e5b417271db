/**
 * Decodes texts of records as editors, mail and shells change them: another encoding, a byte order mark, comments in
 * front. It also decides if a file is meant as Intel HEX, S-records or TI-TXT, so that a damaged one is refused as that
 * format.
 */
import { hasBytesAt } from '../../core/bytes.ts';

export type RecordKind = 'intel-hex' | 's-record' | 'ti-txt';

/** Bytes at the beginning in which the first record must be. Comments may be long, a licence for example. */
const SAMPLE_SIZE = 65_536;
const END_OF_FILE = 0x1a;
/** Replaces a character beyond Latin-1, which no record contains. */
const QUESTION_MARK = 0x3f;

/**
 * Byte order marks (The Unicode Standard, section 23.8). UTF-32 comes before UTF-16, because its mark begins with
 * that of UTF-16.
 */
const encodings = [
  { mark: [0xef, 0xbb, 0xbf], width: 1, low: 0 },
  { mark: [0xff, 0xfe, 0, 0], width: 4, low: 0 },
  { mark: [0, 0, 0xfe, 0xff], width: 4, low: 3 },
  { mark: [0xff, 0xfe], width: 2, low: 0 },
  { mark: [0xfe, 0xff], width: 2, low: 1 },
].map(({ mark, ...rest }) => ({ mark: Uint8Array.from(mark), ...rest }));

/** A whole record, from its mark to the end of the line. TI-TXT: an address, and a line of bytes after it. */
const wholeRecord = {
  'intel-hex': /^:(?:[\da-f]{2}){5,}$/i,
  's-record': /^S\d(?:[\da-f]{2}){4,}$/i,
  'ti-txt': /^@[\da-f]{1,8}\n[\da-f]{2}(?:[ \t]+[\da-f]{2})*$/i,
} as const satisfies Record<RecordKind, RegExp>;
/**
 * Start of a record, which suffices in the first line that is not a comment. The rest of that line may be damaged. An
 * address of TI-TXT has to fill its line, because other texts begin with an @ too.
 */
const beginningRecord = {
  'intel-hex': /^:[\da-f]{2}/i,
  's-record': /^S[0-35-9][\da-f]{4}/i,
  'ti-txt': /^@[\da-f]{4,8}$/i,
} as const satisfies Record<RecordKind, RegExp>;
/** Control characters that no text has. Tabs, form feeds and everything beyond ASCII are allowed. */
const controlCharacter = /[^\P{Cc}\t\v\f\x80-\x9f]/u;
const kinds = ['intel-hex', 's-record', 'ti-txt'] as const satisfies readonly RecordKind[];

/**
 * Returns the kind of records that a text is meant to hold, judged by the first line that looks like one. Null if
 * anything but text comes before it.
 */
export function recordKindOf(bytes: Uint8Array): RecordKind | null {
  const lines = latin1(recordText(bytes.subarray(0, SAMPLE_SIZE)))
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim());
  let isFirst = true;
  for (const [index, line] of lines.entries()) {
    const record = line.startsWith('@') ? `${line}\n${lines[index + 1] ?? ''}` : line;
    const found = kinds.find((kind) => wholeRecord[kind].test(record) || (isFirst && beginningRecord[kind].test(line)));
    if (found !== undefined) {
      return found;
    }
    if (controlCharacter.test(line)) {
      return null;
    }
    isFirst &&= line === '' || isCommentLine(line);
  }
  return null;
}

/**
 * Returns the text with one byte per character, without its byte order mark and without Ctrl+Z and zeros at its end.
 */
export function recordText(bytes: Uint8Array): Uint8Array {
  const encoding = encodings.find(({ mark }) => hasBytesAt(bytes, 0, mark)) ?? unmarked(bytes);
  const text = encoding.width === 1 ? bytes.subarray(encoding.mark.length) : narrowed(bytes, encoding);
  let end = text.length;
  while (end > 0 && isFiller(text[end - 1] ?? 0)) {
    end--;
  }
  return text.subarray(0, end);
}

/**
 * Returns true for a line that begins with `;`, `#` or `//`, as comments of other programs do. False for a record
 * whose colon turned into a semicolon, which differs by one bit. Otherwise its data would be missing unnoticed.
 */
export function isComment(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] ?? 0;
  return (first === 0x3b || first === 0x23 || first === 0x2f) && isCommentLine(latin1(bytes.subarray(start, end)));
}

function isCommentLine(line: string): boolean {
  return /^(?:[;#]|\/\/)/.test(line) && !wholeRecord['intel-hex'].test(`:${line.slice(1)}`);
}

interface Encoding {
  readonly mark: Uint8Array;
  /** Bytes per character. */
  readonly width: number;
  /** Index of the lowest byte of a character. */
  readonly low: number;
}

const none = new Uint8Array();

/** Recognises UTF-16 without a byte order mark: in ASCII every other byte is zero. */
function unmarked(bytes: Uint8Array): Encoding {
  const start = bytes.subarray(0, 32);
  const isZero = (place: number) => start.every((byte, index) => (byte === 0) === (index % 2 === place));
  const low = start.length < 8 ? null : isZero(1) ? 0 : isZero(0) ? 1 : null;
  return low === null ? { mark: none, width: 1, low: 0 } : { mark: none, width: 2, low };
}

function narrowed(bytes: Uint8Array, { mark, width, low }: Encoding): Uint8Array {
  const text = new Uint8Array(Math.floor((bytes.length - mark.length) / width));
  for (let index = 0; index < text.length; index++) {
    const at = mark.length + index * width;
    let others = 0;
    for (let place = 0; place < width; place++) {
      others |= place === low ? 0 : (bytes[at + place] ?? 0);
    }
    text[index] = others === 0 ? (bytes[at + low] ?? 0) : QUESTION_MARK;
  }
  return text;
}

const isFiller = (byte: number) => byte === END_OF_FILE || byte === 0;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return text;
}
