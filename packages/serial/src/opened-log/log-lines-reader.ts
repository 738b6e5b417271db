/** Splits the text of a log into pieces with a time and a direction, without the prefixes of a program. */
import { ESCAPE, OPEN_BRACKET } from '../control-sequences.ts';
import type { LogClock } from './log-clock.ts';
import { asUtf8, type LogEncoding } from './log-encoding.ts';
import type { LogPiece } from './log-piece.ts';
import { type LogProgram, type LogProgramName, logProgram, type OwnPrefix, type ReadPrefix } from './log-programs.ts';
import { PrefixForm } from './prefix-form.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Form in which a log is read. */
export interface LogForm {
  readonly encoding: LogEncoding;
  /** Null: lines have no prefix. */
  readonly program: LogProgramName | null;
  /** Pattern of the prefix that a person has marked, which `program` then does not say. */
  readonly marked?: string | undefined;
  /** True: the log is of several ports, whose names stay in front of the text. */
  readonly withPorts: boolean;
  /** Length of the byte order mark, which is no text. */
  readonly mark: number;
}

/** Bytes of lines with the names of their ports that are allocated together. */
const ROOM = 1 << 18;
/** Most names of ports whose bytes are kept. Beyond it, bytes are made again, and nothing changes for a person. */
const MOST_PORTS = 64;
const latin1 = new TextDecoder('latin1');
/** Bytes by their character in `latin1`. */
const byteOf = new Map(
  [...latin1.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map((one, byte) => [one, byte]),
);
const encoder = new TextEncoder();
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const LETTER_M = 0x6d;
/** First characters of a formula, before which the CSV export puts an apostrophe (`export-csv.ts`). */
const FORMULA = new Set([...'=+-@'].map((character) => character.charCodeAt(0)));
/** First line of a table. */
const TABLE_HEAD = 'time,epoch_ms,';
const newline = Uint8Array.of(LINE_FEED);
const unknown: ReadPrefix = { at: Number.NaN };

export class LogLinesReader {
  /** Called for each prefix. `amount`: what its digits say, in milliseconds. */
  onPrefix: (prefix: ReadPrefix, amount: number) => void = () => undefined;
  readonly #form: LogForm;
  readonly #clock: LogClock;
  /** Prefix of the newest line; without a time for a line that has none. */
  #last = unknown;
  /** The newest time that a line had. */
  #blockAt = Number.NaN;
  readonly #program: LogProgram | null;
  /** Bytes in front of a line by the name of its port. */
  readonly #portTexts = new Map<string, Bytes>();
  /** Lines with the names of their ports, up to `#roomAt`. Pieces that were returned are in it, so it is not used again. */
  #room: Bytes = new Uint8Array();
  #roomAt = 0;
  /** Offset behind the prefix that was found last. */
  #behind = 0;
  /** Offset of the next `\r` in the text that is read. */
  #nextReturn = -1;

  constructor(form: LogForm, clock: LogClock) {
    this.#form = form;
    this.#clock = clock;
    const { program, marked } = form;
    this.#program =
      marked !== undefined
        ? { title: marked, forms: [new PrefixForm(marked)] }
        : program === null
          ? null
          : logProgram(program);
  }

  /**
   * Reads the next bytes of the file.
   *
   * @param bytes Whole lines in the log's encoding, except at the end of the file and in lines without an end.
   * @param isLineStart False: the bytes continue a line.
   * @param isWanted Returns false for text that needs no pieces.
   */
  read(bytes: Bytes, isLineStart: boolean, isWanted?: (text: Bytes) => boolean): LogPiece[] {
    const text = asUtf8(bytes, this.#form.encoding);
    if (text.length === 0 || isWanted?.(text) === false) {
      return [];
    }
    if (this.#program === null) {
      return [plainPiece(text, 0, text.length)];
    }
    const { forms = [], own, isLine = false } = this.#program;
    const pieces: LogPiece[] = [];
    // Only expressions need characters.
    let characters: string | null = null;
    this.#nextReturn = -1;
    let start = 0;
    while (start < text.length) {
      const feed = text.indexOf(LINE_FEED, start);
      const end = feed === -1 ? text.length : feed + 1;
      if (start === 0 && !isLineStart) {
        pieces.push(this.#continued(text, start, end));
      } else if (own === undefined) {
        this.#readLine(forms, text, start, end, isLine, pieces);
      } else if (this.#findPrefix(forms, text, start, end)) {
        pieces.push(this.#behindPort(text, this.#behind, end));
      } else {
        characters ??= latin1.decode(text);
        this.#readOwn(own, text, characters, start, end, pieces);
      }
      start = end;
    }
    return pieces;
  }

  /** Returns false if no line of the text has a prefix. It costs a fraction of `read`. */
  mayHavePrefix(text: Bytes): boolean {
    const { forms = [], own } = this.#program ?? {};
    if (own !== undefined) {
      return true;
    }
    this.#nextReturn = -1;
    for (let start = 0; start < text.length; ) {
      const feed = text.indexOf(LINE_FEED, start);
      const end = feed === -1 ? text.length : feed + 1;
      const textStart = afterReturns(text, start, end);
      if (this.#isPrefix(forms, text, textStart, end) || this.#nextPrefix(forms, text, textStart, end) !== -1) {
        return true;
      }
      start = end;
    }
    return false;
  }

  /** Reads a line whose prefixes have one of the forms: at its start, and behind each `\r`. */
  #readLine(
    forms: readonly PrefixForm[],
    text: Bytes,
    start: number,
    end: number,
    isLine: boolean,
    pieces: LogPiece[],
  ): void {
    // A board that ends its lines with LF CR begins the next one with a CR, and the program's prefix follows.
    let textStart = afterReturns(text, start, end);
    let has = this.#findPrefix(forms, text, textStart, end);
    let from = start;
    for (;;) {
      const contentStart = has ? this.#behind : from;
      const next = this.#nextPrefix(forms, text, has ? this.#behind : textStart, end);
      const cut = next === -1 ? end : next;
      if (has && !isLine) {
        if (contentStart === cut) {
          pieces.push(this.#continued(newline, 0, 1, next !== -1));
        } else if (textStart > from) {
          const bytes = joined(text.subarray(from, textStart), text.subarray(contentStart, cut));
          pieces.push(this.#continued(bytes, 0, bytes.length, next !== -1));
        } else {
          pieces.push(this.#continued(text, contentStart, cut, next !== -1));
        }
      } else if (!has) {
        this.#last = isLine ? this.#last : unknown;
        pieces.push(this.#continued(text, from, cut, next !== -1));
      }
      if (next === -1) {
        return;
      }
      from = cut;
      textStart = cut;
      has = this.#findPrefix(forms, text, cut, end);
    }
  }

  /** Returns the offset of the next prefix that follows a `\r`; -1 without one. */
  #nextPrefix(forms: readonly PrefixForm[], text: Bytes, from: number, end: number): number {
    let at = from;
    for (;;) {
      if (this.#nextReturn < at) {
        const found = text.indexOf(RETURN, at);
        this.#nextReturn = found === -1 ? text.length : found;
      }
      if (this.#nextReturn >= end) {
        return -1;
      }
      at = afterReturns(text, this.#nextReturn, end);
      // No prefix begins with the end of a line, where nearly every `\r` is.
      if (at < end && text[at] !== LINE_FEED && this.#isPrefix(forms, text, at, end)) {
        return at;
      }
    }
  }

  #isPrefix(forms: readonly PrefixForm[], text: Bytes, start: number, end: number): boolean {
    return forms.some((form) => form.read(text, afterColour(text, start, end), end));
  }

  /** Reads a prefix at `start`, and the colours around it. */
  #findPrefix(forms: readonly PrefixForm[], text: Bytes, start: number, end: number): boolean {
    const from = afterColour(text, start, end);
    for (const form of forms) {
      if (form.read(text, from, end)) {
        const port = form.portOf(text);
        const last = { at: form.timeOf(this.#clock), direction: form.direction };
        this.#last = port === null ? last : { ...last, port };
        this.#blockAt = last.at;
        this.#behind = from > start ? afterColour(text, form.end, end) : form.end;
        this.onPrefix(this.#last, form.amount);
        return true;
      }
    }
    return false;
  }

  #readOwn(
    { prefix, read }: OwnPrefix,
    text: Bytes,
    characters: string,
    start: number,
    end: number,
    pieces: LogPiece[],
  ): void {
    const name = this.#form.program;
    prefix.lastIndex = start;
    const match = prefix.exec(characters);
    if (match !== null && prefix.lastIndex <= end) {
      this.#last = read(match, this.#clock);
      this.#blockAt = name === 'putty' ? Number.NaN : this.#last.at;
      this.onPrefix(this.#last, 0);
      pieces.push(this.#piece(this.#content(text, prefix.lastIndex, end)));
    } else if (name === 'wirebench-plot' && characters.startsWith(TABLE_HEAD, start)) {
      const from = start + TABLE_HEAD.length;
      pieces.push(plainPiece(text, from, end));
    } else if (name !== 'wirebench-csv' || !characters.startsWith(TABLE_HEAD, start)) {
      const { direction } = this.#last;
      this.#last = { at: Number.NaN, ...(direction === 'sent' && { direction }) };
      pieces.push(this.#continued(text, start, end));
    }
    if (name === 'putty' && match !== null) {
      // The header says when the log began, and nothing about the lines behind it.
      this.#last = unknown;
    }
  }

  /** Returns bytes of the line that was begun last. */
  #continued(text: Bytes, from: number, to: number, isEnd = false): LogPiece {
    const { at, direction } = this.#last;
    const blockAt = this.#blockAt;
    return { direction: direction === 'sent' ? 'sent' : 'received', level: null, at, blockAt, text, from, to, isEnd };
  }

  #piece(bytes: Bytes): LogPiece {
    const { at, direction = 'received', level = null, port } = this.#last;
    const name = this.#form.withPorts && port !== undefined ? this.#portBytes(port) : null;
    const text = name === null ? bytes : joined(name, bytes);
    const piece = { direction, level, at, blockAt: this.#blockAt, text, from: 0, to: text.length, isEnd: false };
    return name === null ? piece : { ...piece, named: name.length };
  }

  /** Returns bytes of the line that was begun last, with the name of its port in front of them. */
  #behindPort(text: Bytes, from: number, to: number): LogPiece {
    const { port } = this.#last;
    if (port === undefined || !this.#form.withPorts) {
      return this.#continued(text, from, to);
    }
    const name = this.#portBytes(port);
    const length = name.length + to - from;
    if (this.#roomAt + length > this.#room.length) {
      this.#room = new Uint8Array(Math.max(ROOM, length));
      this.#roomAt = 0;
    }
    const [room, start] = [this.#room, this.#roomAt];
    // Loops are faster than copies of a few bytes each.
    let at = start;
    for (let index = 0; index < name.length; index++) {
      room[at++] = name[index] as number;
    }
    for (let index = from; index < to; index++) {
      room[at++] = text[index] as number;
    }
    this.#roomAt = at;
    return { ...this.#continued(room, start, at), named: name.length };
  }

  /** Returns the name of a port as it stands in front of its lines. */
  #portBytes(port: string): Bytes {
    const known = this.#portTexts.get(port);
    if (known !== undefined) {
      return known;
    }
    const bytes = bytesOf(`${port}  `);
    if (this.#portTexts.size === MOST_PORTS) {
      this.#portTexts.clear();
    }
    this.#portTexts.set(port, bytes);
    return bytes;
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

/** Returns a piece of a log without prefixes. */
const plainPiece = (text: Bytes, from: number, to: number): LogPiece => ({
  direction: 'received',
  level: null,
  at: Number.NaN,
  blockAt: Number.NaN,
  text,
  from,
  to,
  isEnd: false,
});

function afterReturns(text: Bytes, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] === RETURN) {
    at++;
  }
  return at;
}

/** Returns the offset after a colour at `from` (ECMA-48, 8.3.117), as programs write them around their prefix. */
function afterColour(text: Bytes, from: number, end: number): number {
  if (text[from] !== ESCAPE || text[from + 1] !== OPEN_BRACKET) {
    return from;
  }
  let at = from + 2;
  while (at < end && (text[at] as number) >= 0x30 && (text[at] as number) <= 0x3b) {
    at++;
  }
  return text[at] === LETTER_M && at < end ? at + 1 : from;
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

const bytesOf = (head: string): Bytes => Uint8Array.from([...head], (character) => byteOf.get(character) ?? 0);

function joined(first: Bytes, bytes: Bytes): Bytes {
  const all = new Uint8Array(first.length + bytes.length);
  all.set(first);
  all.set(bytes, first.length);
  return all;
}
