/**
 * Reads a line of Teleplot: `>name:value`, `>name:time:value`, several samples with semicolons, a unit behind `§` and flags behind
 * the last `|`. Times are milliseconds of the board's clock. With the flag `t`, samples are texts: `>state:Turned on|t`. Source:
 * Teleplot's README, "Telemetry Format", and its `parseVariablesData`, read on 2026-11-29.
 *
 * A plot over time has no place for points of a plane (`xy`) and shapes (`>3D|`): such lines have no readings. The flag `np` only
 * keeps Teleplot from opening a chart, so its values are read.
 */
import { kindAt, LETTER } from './plot-bytes.ts';
import type { ValueReader } from './value-reader.ts';

const SPACE = 0x20;
const GREATER = 0x3e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const COMMA = 0x2c;
const BAR = 0x7c;
/** `§` in Latin-1. In UTF-8, 0xC2 stands before it. */
const SECTION = 0xa7;
const SECTION_LEAD = 0xc2;
const shapes = Array.from('>3D|', (character) => character.charCodeAt(0));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Flags of values that are not drawn over time, and of texts. */
const elsewhere = encoder.encode('xy');
const asText = encoder.encode('t');
/** Longest text that is kept, in bytes. */
const LONGEST_TEXT = 64;
const none: readonly string[] = [];

/** Samples of a line, in its order. */
export interface Samples {
  /** NaN: a sample without a number. */
  readonly values: Float64Array;
  /** Milliseconds of the board's clock. NaN: the sample has no time. */
  readonly times: Float64Array;
}

export class TeleplotLine {
  nameStart = 0;
  nameEnd = 0;
  /** Samples that were read. */
  count = 0;
  /** True: the line has more samples than fit. */
  isCut = false;
  /** Texts of the samples. Empty: the samples are numbers. */
  texts: readonly string[] = none;
  /** Unit behind `§`; empty without one. */
  unit = '';

  /**
   * Reads the line from `from` up to `lineEnd` into `samples`. Returns false for any other line. A line with nothing to draw has
   * no samples.
   *
   * @param most Most samples to read.
   */
  read(bytes: Uint8Array, from: number, lineEnd: number, value: ValueReader, samples: Samples, most: number): boolean {
    let to = lineEnd;
    while (to > from && bytes[to - 1] === SPACE) {
      to--;
    }
    this.count = 0;
    this.isCut = false;
    this.texts = none;
    this.unit = '';
    if (bytes[from] !== GREATER) {
      return false;
    }
    if (shapes.every((byte, index) => bytes[from + index] === byte) && from + shapes.length <= to) {
      return true;
    }
    const nameEnd = indexOf(bytes, COLON, from + 1, to);
    if (nameEnd === -1 || !(kindAt(bytes, from + 1) & LETTER)) {
      return false;
    }
    this.nameStart = from + 1;
    this.nameEnd = nameEnd;
    const bar = lastIndexOf(bytes, BAR, nameEnd, to);
    if (bar !== -1 && hasFlag(bytes, bar + 1, to, elsewhere)) {
      return true;
    }
    const samplesEnd = bar === -1 ? to : bar;
    const end = unitStart(bytes, nameEnd + 1, samplesEnd);
    if (end < samplesEnd) {
      this.unit = decoder.decode(bytes.subarray(end + (bytes[end] === SECTION ? 1 : 2), samplesEnd)).trim();
    }
    if (bar !== -1 && hasFlag(bytes, bar + 1, to, asText)) {
      this.#readTexts(bytes, nameEnd + 1, end, value, samples, most);
      return true;
    }
    for (let at = nameEnd + 1; at < end; ) {
      const next = indexOf(bytes, SEMICOLON, at, end);
      const sampleEnd = next === -1 ? end : next;
      if (sampleEnd > at) {
        this.isCut = this.count === most;
        if (this.isCut) {
          break;
        }
        if (!this.#sample(bytes, at, sampleEnd, value, samples)) {
          this.count = 0;
          return false;
        }
      }
      at = sampleEnd + 1;
    }
    return this.count > 0;
  }

  /** Reads samples that are texts, each with a time or none. A colon may also be part of a text. */
  #readTexts(bytes: Uint8Array, from: number, end: number, value: ValueReader, samples: Samples, most: number): void {
    const texts: string[] = [];
    for (let at = from; at < end; ) {
      const next = indexOf(bytes, SEMICOLON, at, end);
      const sampleEnd = next === -1 ? end : next;
      if (sampleEnd > at && this.count === most) {
        this.isCut = true;
        break;
      }
      const colon = indexOf(bytes, COLON, at, sampleEnd);
      const isTimed = colon !== -1 && isWhole(bytes, at, colon, value) && !Number.isNaN(value.value);
      const start = isTimed ? colon + 1 : at;
      if (sampleEnd > start) {
        samples.times[this.count] = isTimed ? value.value : Number.NaN;
        samples.values[this.count++] = Number.NaN;
        texts.push(decoder.decode(bytes.subarray(start, Math.min(sampleEnd, start + LONGEST_TEXT))));
      }
      at = sampleEnd + 1;
    }
    this.texts = texts;
  }

  #sample(bytes: Uint8Array, from: number, to: number, value: ValueReader, { values, times }: Samples): boolean {
    const colon = indexOf(bytes, COLON, from, to);
    const start = colon === -1 ? from : colon + 1;
    times[this.count] = Number.NaN;
    if (colon !== -1) {
      if (!isWhole(bytes, from, colon, value) || Number.isNaN(value.value)) {
        return false;
      }
      times[this.count] = value.value;
    }
    if (!isWhole(bytes, start, to, value)) {
      return false;
    }
    values[this.count++] = value.value;
    return true;
  }
}

/** Reads a value that fills the bytes. */
const isWhole = (bytes: Uint8Array, from: number, to: number, value: ValueReader): boolean =>
  value.begin(bytes, from, to) && value.end === to;

/** Returns true if one of the flags, between commas, is this one. */
function hasFlag(bytes: Uint8Array, from: number, to: number, flag: Uint8Array): boolean {
  for (let start = from; start < to; ) {
    const comma = indexOf(bytes, COMMA, start, to);
    const end = comma === -1 ? to : comma;
    const first = start;
    if (flag.length === end - first && flag.every((byte, index) => bytes[first + index] === byte)) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

/** Returns the offset of the `§` in front of a unit; `to` without one. */
function unitStart(bytes: Uint8Array, from: number, to: number): number {
  const section = indexOf(bytes, SECTION, from, to);
  return section === -1 ? to : bytes[section - 1] === SECTION_LEAD ? section - 1 : section;
}

function indexOf(bytes: Uint8Array, byte: number, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === byte) {
      return at;
    }
  }
  return -1;
}

function lastIndexOf(bytes: Uint8Array, byte: number, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) {
    if (bytes[at] === byte) {
      return at;
    }
  }
  return -1;
}
