/**
 * Form of an NMEA 0183 sentence (NMEA 0183 version 4.11, sections 5.3 and 7): `$` or `!`, address, cells between
 * commas, `*` and a checksum of two hex digits, CR LF. A tag block between two `\` can stand before it. Receivers in the
 * field leave out the checksum, or its first digit if that is 0, write it in lower case, exceed 82 characters and end lines with CR or LF alone.
 */
import { latinText } from '../latin-text.ts';
import { NONE, UNDECIDED } from '../steps/step-types.ts';

/** Range of bytes. */
interface Range {
  readonly from: number;
  readonly to: number;
}

type Checksum = 'right' | 'wrong' | 'none';

export interface TagBlock {
  readonly range: Range;
  readonly checksum: Checksum;
  readonly entries: readonly (Range & { readonly code: string; readonly text: string })[];
}

interface Cell extends Range {
  readonly text: string;
}

export interface Sentence {
  /** Null: the sentence has no tag block. */
  readonly tag: TagBlock | null;
  readonly address: Cell;
  /** Two letters; `P` for proprietary sentences; empty for addresses of other lengths. */
  readonly talker: string;
  /** Three letters; the whole address for proprietary sentences. */
  readonly type: string;
  readonly cells: readonly Cell[];
  readonly checksum: Checksum;
  /** Digits of the checksum, of which a sender may leave out a 0 in front; null if it is missing. */
  readonly checksumCell: Cell | null;
  /** Checksum over the bytes between the start character and `*`. */
  readonly computed: number;
}

/** Longest sentence that is read, in characters. The standard allows 82; receivers with many decimals exceed it. */
const MAX_SENTENCE = 1024;
/** Longest tag block that is read, in characters. The standard allows 80. */
const MAX_TAG = 256;

const cr = 0x0d;
const lf = 0x0a;
const backslash = 0x5c;
const star = 0x2a;
const comma = 0x2c;

/** Addresses with which a line without a checksum is a sentence. */
const standardAddress = /^(?:[A-Z][A-Z\d][A-Z\d]{3}|P[A-Z\d]{3,23})$/;
/** Other addresses in use, such as `KSXT`. They need a checksum. */
const anyAddress = /^[A-Z][A-Z\d]{2,23}$/;
const MAX_ADDRESS = 24;

function isStart(byte: number | undefined): boolean {
  return byte === 0x24 || byte === 0x21;
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

/** True for bytes between the address and `*`. */
function isContent(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f && byte !== star;
}

/** Digits of a checksum. */
interface Digits {
  readonly value: number;
  /** Two; one from senders that leave out the zero in front. */
  readonly count: number;
}

/**
 * Reads two hex digits in either case, or a single one.
 *
 * @param isEnd Returns true for the byte behind the checksum. Only in front of it, a single digit is not the first of two.
 * @returns null for anything else.
 */
function digitsAt(bytes: Uint8Array, at: number, isEnd: (byte: number | undefined) => boolean): Digits | null {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  if (high < 0) {
    return null;
  }
  if (low >= 0) {
    return { value: high * 16 + low, count: 2 };
  }
  return isEnd(bytes[at + 1]) ? { value: high, count: 1 } : null;
}

const isLineEnd = (byte: number | undefined) => byte === cr || byte === lf;

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) {
    return byte - 0x30;
  }
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function xor(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    sum ^= bytes[at] as number;
  }
  return sum;
}

/**
 * Measures the sentence that begins at `from`, with its tag block and its line end.
 *
 * @param isLast True: no byte follows `to`. A line end or a checksum that is still missing then stays missing.
 * @returns as `measure` of a step.
 */
export function measureSentence(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
  const open = isLast ? NONE : UNDECIDED;
  const start = bytes[from] === backslash ? tagEnd(bytes, from, to) : from;
  if (start === NONE) {
    return NONE;
  }
  if (start >= to) {
    return open;
  }
  if (!isStart(bytes[start])) {
    return NONE;
  }
  let at = start + 1;
  while (at < to && isAddressByte(bytes[at] as number) && at - start <= MAX_ADDRESS) {
    at++;
  }
  if (at === to) {
    return at - start > MAX_ADDRESS ? NONE : open;
  }
  const address = latinText(bytes, start + 1, at);
  if ((bytes[at] !== comma && bytes[at] !== star) || !anyAddress.test(address)) {
    return NONE;
  }
  const most = Math.min(to, start + MAX_SENTENCE);
  /** First byte outside of ASCII. Names of waypoints have such letters; so does what follows a sentence that was cut. */
  let foreign = -1;
  while (at < most && isContent(bytes[at] as number)) {
    foreign = foreign < 0 && (bytes[at] as number) >= 0x80 ? at : foreign;
    at++;
  }
  if (at === to && to < start + MAX_SENTENCE && !isLast) {
    return UNDECIDED;
  }
  const end = endOf(bytes, {
    start,
    at,
    to,
    isLast,
    isLong: at === most,
    mayLackChecksum: standardAddress.test(address),
  });
  if (end === UNDECIDED || end === NONE) {
    return end;
  }
  return end > 0 ? end - from : foreign < 0 ? from + end : from - foreign;
}

interface Ending {
  /** Offsets of `$` or `!`, and of the first byte that is no content: `*`, a line end or another. */
  readonly start: number;
  readonly at: number;
  readonly to: number;
  readonly isLast: boolean;
  /** True: the longest sentence ends at `at`. */
  readonly isLong: boolean;
  readonly mayLackChecksum: boolean;
}

/** @returns the offset after a right sentence; −offset after a broken one; UNDECIDED; NONE. */
function endOf(bytes: Uint8Array, { start, at, to, isLast, isLong, mayLackChecksum }: Ending): number {
  if (isLong) {
    return -at;
  }
  if (bytes[at] !== star) {
    if (!mayLackChecksum) {
      return NONE;
    }
    const end = lineEnd(bytes, at, to, isLast);
    const isAscii = !bytes.subarray(start, at).some((byte) => byte >= 0x80);
    return end > at && isAscii && !hasInnerStart(bytes, start + 1, at) ? end : -end;
  }
  if (at + 3 > to) {
    return isLast ? -to : UNDECIDED;
  }
  const given = digitsAt(bytes, at + 1, isLineEnd);
  const end = lineEnd(bytes, at + 1 + (given?.count ?? 0), to, isLast);
  return given?.value === xor(bytes, start + 1, at) ? end : -end;
}

/** @returns the index after the tag block at `from`; `to` if more bytes are needed; NONE. */
function tagEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from + 1;
  while (at < to && at - from <= MAX_TAG && isPrintable(bytes[at] as number) && bytes[at] !== backslash) {
    at++;
  }
  if (at === to) {
    return to;
  }
  return bytes[at] === backslash && at > from + 1 ? at + 1 : NONE;
}

function isAddressByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39);
}

/** True if another sentence begins in this range: the end of the first one was lost. */
function hasInnerStart(bytes: Uint8Array, from: number, to: number): boolean {
  return /[$!][A-Z][A-Z\d]{2,23},/.test(latinText(bytes, from, to));
}

/** @returns the index after the line end at `at`; `at` itself if none is there; UNDECIDED. */
function lineEnd(bytes: Uint8Array, at: number, to: number, isLast: boolean): number {
  if (at >= to) {
    return isLast ? at : UNDECIDED;
  }
  if (bytes[at] === lf) {
    return at + 1;
  }
  if (bytes[at] !== cr) {
    return at;
  }
  if (at + 1 >= to) {
    return isLast ? at + 1 : UNDECIDED;
  }
  return bytes[at + 1] === lf ? at + 2 : at + 1;
}

/** Parses one frame. @returns null if it has no form of a sentence. */
export function parseSentence(frame: Uint8Array): Sentence | null {
  let start = 0;
  let tag: TagBlock | null = null;
  if (frame[0] === backslash) {
    const end = frame.indexOf(backslash, 1);
    if (end < 0) {
      return null;
    }
    tag = parseTagBlock(frame, 1, end);
    start = end + 1;
  }
  if (!isStart(frame[start])) {
    return null;
  }
  let end = start + 1;
  while (end < frame.length && isContent(frame[end] as number)) {
    end++;
  }
  const computed = xor(frame, start + 1, end);
  const given = frame[end] === star ? digitsAt(frame, end + 1, isLineEnd) : null;
  const cells = cellsOf(frame, start + 1, end);
  const address = cells.shift();
  if (address === undefined) {
    return null;
  }
  const isProprietary = address.text.startsWith('P');
  const isStandard = !isProprietary && address.text.length === 5;
  return {
    tag,
    address,
    talker: isProprietary ? 'P' : isStandard ? address.text.slice(0, 2) : '',
    type: isStandard ? address.text.slice(2) : address.text,
    cells,
    checksum: frame[end] !== star ? 'none' : given?.value === computed ? 'right' : 'wrong',
    checksumCell: given === null ? null : cell(frame, end + 1, end + 1 + given.count),
    computed,
  };
}

function cell(frame: Uint8Array, from: number, to: number): Cell {
  return { from, to, text: latinText(frame, from, to) };
}

function cellsOf(frame: Uint8Array, from: number, to: number): Cell[] {
  const text = latinText(frame, from, to);
  const isAscii = !foreign.test(text);
  const cells: Cell[] = [];
  for (let begin = 0; begin <= text.length; ) {
    const found = text.indexOf(',', begin);
    const end = found < 0 ? text.length : found;
    cells.push({
      from: from + begin,
      to: from + end,
      text: isAscii ? text.slice(begin, end) : readable(text.slice(begin, end)),
    });
    begin = end + 1;
  }
  return cells;
}

const foreign = /[\x80-\xff]/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns text of one character for each byte as UTF-8, if it is that; the standard allows ASCII alone. */
function readable(text: string): string {
  try {
    return utf8.decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  } catch {
    return text;
  }
}

/** Parses the entries of a tag block, such as `s:st12,c:1709537278*3B` (NMEA 0183 version 4.11, section 7.9). */
function parseTagBlock(frame: Uint8Array, from: number, to: number): TagBlock {
  const found = frame.indexOf(star, from);
  const end = found >= 0 && found < to ? found : to;
  const given = end === to ? null : digitsAt(frame, end + 1, (byte) => byte === backslash);
  const isRight = given?.value === xor(frame, from, end) && end + 1 + given.count === to;
  const checksum = end === to ? 'none' : isRight ? 'right' : 'wrong';
  const entries = cellsOf(frame, from, end)
    .filter(({ text }) => /^[A-Za-z]:/.test(text))
    .map((entry) => ({ code: entry.text[0] as string, text: entry.text.slice(2), from: entry.from + 2, to: entry.to }));
  return { range: { from, to }, checksum, entries };
}
