/** Readings of a port's lines: of the fields of a frame, and of the numbers in any other line. */
import type { DecodedField } from '@wirebench/frames';
import type { LineChannel } from '../line-channel.ts';
import type { SeriesNamed } from '../plot/label-book.ts';
import { type LineReader, type LineReadings, TextLineReader } from '../plot/line-reader.ts';
import { MAX_NUMBERS, type NumberFormat } from '../plot/number-line.ts';

/** Fields that say which frame it is, and are no measured value. */
const structural: ReadonlySet<string> = new Set([
  'address',
  'bytes',
  'checksum',
  'class',
  'comp',
  'count',
  'crc',
  'exception',
  'function',
  'id',
  'label',
  'length',
  'seq',
  'start_code',
  'sys',
  'unit',
  'version',
  'write_address',
]);
/** Name of a value that stands for none, as receivers of AIS give it. */
const ABSENT = 'not available';
/** Frames with a field from which it becomes a curve. */
const FRAMES_NEEDED = 2;

export class FrameLineReader implements LineReader {
  readonly #seriesNamed: SeriesNamed;
  readonly #text: TextLineReader;
  /** IDs of series by their names. */
  readonly #known = new Map<string, number>();

  constructor(seriesNamed: SeriesNamed, format: NumberFormat = 'any') {
    this.#seriesNamed = seriesNamed;
    this.#text = new TextLineReader(seriesNamed, format);
  }

  get hasLongLines(): boolean {
    return this.#text.hasLongLines;
  }

  read(bytes: Uint8Array, from: number, to: number, channel: LineChannel, ordinal: number): LineReadings {
    const framed = channel.mayHaveFrames ? channel.frameAt(ordinal) : null;
    if (framed === null) {
      return this.#text.read(bytes, from, to);
    }
    const { kind, fields, who, adapterAt } = framed.frame;
    const measured = kind === 'right' ? fields.filter(isMeasured) : [];
    const read = measured.slice(0, MAX_NUMBERS);
    return {
      count: read.length,
      series: read.map(({ name, unit }) => this.#seriesOf(who === null ? name : `${who} ${name}`, unit ?? '')),
      values: read.map(numberOfField),
      names: read.map(({ named }) => (named === undefined || named === ABSENT ? null : named)),
      times: read.map(() => adapterAt ?? Number.NaN),
      hasTimes: adapterAt !== undefined && read.length > 0,
      needed: FRAMES_NEEDED,
      isCut: measured.length > read.length,
    };
  }

  forget(): void {
    this.#known.clear();
    this.#text.forget();
  }

  #seriesOf(name: string, unit: string): number {
    let series = this.#known.get(name);
    if (series === undefined) {
      series = this.#seriesNamed(name, unit);
      this.#known.set(name, series);
    }
    return series;
  }
}

/** A field without a value is a gap, so that it stays a reading if its name is one of a number. */
function isMeasured({ name, value }: DecodedField): boolean {
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return (isNumber || value === null) && !structural.has(name) && !name.startsWith('frame.');
}

/** Numbers of 64 bits are drawn as the nearest double; CSV of frames has all of their digits. */
function numberOfField({ value, named }: DecodedField): number {
  return value === null || named === ABSENT ? Number.NaN : Number(value);
}
