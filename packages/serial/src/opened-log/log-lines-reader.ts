/** Splits the text of a log into pieces with a time and a direction, without the prefixes of a program. */
import type { NoticeLevel } from '../timeline-rows.ts';
import type { LogClock } from './log-clock.ts';
import { asUtf8 } from './log-encoding.ts';
import { type LogProgram, logProgram, type ReadPrefix } from './log-programs.ts';
import type { PrefixForm } from './prefix-form.ts';
import type { LogForm } from './recognise-log.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of a log that belong together: a line, or for a log without prefixes all bytes of a slice. */
export interface LogPiece {
  readonly direction: 'received' | 'sent' | 'notice';
  /** Level of a notice. */
  readonly level?: NoticeLevel;
  /** Milliseconds since the Unix epoch. NaN for a line without a time. */
  readonly at: number;
  /** With the line ending, if the log has one. */
  readonly bytes: Bytes;
}

const latin1 = new TextDecoder('latin1');
/** Bytes by their character in `latin1`. */
const byteOf = new Map(
  [...latin1.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map((one, byte) => [one, byte]),
);
const encoder = new TextEncoder();
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
/** First characters of a formula, before which the CSV export puts an apostrophe (`export-csv.ts`). */
const FORMULA = new Set([...'=+-@'].map((character) => character.charCodeAt(0)));
/** First line of a table. */
const TABLE_HEAD = 'time,epoch_ms,';

interface LineInText {
  readonly text: Bytes;
  /** The text with one character for each byte. */
  readonly characters: string;
  readonly start: number;
  readonly end: number;
  /** False: the line goes on from text before it, so it has no prefix. */
  readonly mayBegin: boolean;
}

export class LogLinesReader {
  readonly #form: LogForm;
  readonly #clock: LogClock;
  /** Prefix of the newest line with one. Lines without a prefix continue it. */
  #last: ReadPrefix = { at: Number.NaN };

  constructor(form: LogForm, clock: LogClock) {
    this.#form = form;
    this.#clock = clock;
  }

  /**
   * Reads the next bytes of the file.
   *
   * @param bytes Whole lines in the log's encoding, except at the end of the file and in lines without an end.
   * @param isLineStart False: the bytes continue a line.
   * @param isWanted Returns false for text that needs no pieces.
   */
  read(bytes: Bytes, isLineStart: boolean, isWanted?: (text: Bytes) => boolean): LogPiece[] {
    const { encoding, program: name } = this.#form;
    const text = asUtf8(bytes, encoding);
    if (text.length === 0 || isWanted?.(text) === false) {
      return [];
    }
    if (name === null) {
      return [{ direction: 'received', at: Number.NaN, bytes: text }];
    }
    const program = logProgram(name);
    const { forms = [] } = program;
    const pieces: LogPiece[] = [];
    // Only prefixes without a fixed form need characters.
    let characters: string | null = null;
    let start = 0;
    while (start < text.length) {
      const feed = text.indexOf(LINE_FEED, start);
      const end = feed === -1 ? text.length : feed + 1;
      const mayBegin = start > 0 || isLineStart;
      if (!mayBegin || !this.#readForm(forms, text, start, end, pieces)) {
        characters ??= latin1.decode(text);
        this.#readLine(program, { text, characters, start, end, mayBegin }, pieces);
      }
      start = end;
    }
    return pieces;
  }

  /** Reads a line whose prefix has one of the fixed forms. Returns false for other lines. */
  #readForm(forms: readonly PrefixForm[], text: Bytes, start: number, end: number, pieces: LogPiece[]): boolean {
    for (const form of forms) {
      const at = form.timeAt(text, start, this.#clock);
      if (at !== null) {
        const { direction } = form;
        this.#last = { at, direction };
        pieces.push({ direction, at, bytes: text.subarray(start + form.length, end) });
        return true;
      }
    }
    return false;
  }

  #readLine(program: LogProgram, { text, characters, start, end, mayBegin }: LineInText, pieces: LogPiece[]): void {
    const name = this.#form.program;
    const { prefix, read, isLine = false } = program;
    prefix.lastIndex = start;
    const match = mayBegin ? prefix.exec(characters) : null;
    if (match !== null) {
      this.#last = read(match, this.#clock);
      if (!isLine) {
        pieces.push(this.#piece(this.#content(text, prefix.lastIndex, end)));
      }
    } else if (name !== 'wirebench-csv' || !characters.startsWith(TABLE_HEAD, start)) {
      pieces.push(this.#continued(text.subarray(start, end)));
    }
    if (name === 'putty' && match !== null) {
      // The header says when the log began, and nothing about the lines behind it.
      this.#last = { at: Number.NaN };
    }
  }

  #continued(bytes: Bytes): LogPiece {
    const { at, direction } = this.#last;
    return { direction: direction === 'sent' ? 'sent' : 'received', at, bytes };
  }

  #piece(bytes: Bytes): LogPiece {
    const { at, direction = 'received', level, port } = this.#last;
    const content = this.#form.withPorts && port !== undefined ? joined(`${port}  `, bytes) : bytes;
    return { direction, at, bytes: content, ...(level !== undefined && { level }) };
  }

  #content(text: Bytes, from: number, to: number): Bytes {
    if (this.#form.program === 'putty') {
      const title = latin1.decode(text.subarray(from - ' 2026.11.25 12:34:56 '.length, from)).trim();
      return encoder.encode(`PuTTY log ${title}`);
    }
    if (this.#form.program !== 'wirebench-csv') {
      return text.subarray(from, to);
    }
    const content = this.#last.quoted === true ? unquoted(text.subarray(from, to)) : text.subarray(from, to);
    return content[0] === APOSTROPHE && FORMULA.has(content[1] ?? 0) ? content.subarray(1) : content;
  }
}

/** Returns a quoted field without its last quotation mark, with single marks inside, and a newline. */
function unquoted(field: Bytes): Bytes {
  const content: number[] = [];
  for (let at = 0; at < field.length; at++) {
    if (field[at] === QUOTE && field[++at] !== QUOTE) {
      break;
    }
    content.push(field[at] as number);
  }
  return Uint8Array.from([...content, LINE_FEED]);
}

function joined(head: string, bytes: Bytes): Bytes {
  const first = Uint8Array.from([...head], (character) => byteOf.get(character) ?? 0);
  const all = new Uint8Array(first.length + bytes.length);
  all.set(first);
  all.set(bytes, first.length);
  return all;
}
