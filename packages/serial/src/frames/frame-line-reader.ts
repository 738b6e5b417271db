/** Readings of a port's lines: of the fields of a frame, and of the numbers in any other line. */
import { type DecodedField, type DecodedFrame, labelOf } from '@wirebench/frames';
import type { LineChannel } from '../line-channel.ts';
import type { SeriesNamed } from '../plot/label-book.ts';
import { type LineReader, type LineReadings, TextLineReader } from '../plot/line-reader.ts';
import { MAX_NUMBERS, type NumberFormat } from '../plot/number-line.ts';

/** Name of a value that stands for none, as receivers of AIS give it. */
const ABSENT = 'not available';
/** Frames with a field from which it becomes a curve. */
const FRAMES_NEEDED = 2;

export class FrameLineReader implements LineReader {
  readonly #seriesNamed: SeriesNamed;
  readonly #text: TextLineReader;
  /** IDs of series by sender and name of the field. */
  readonly #known = new Map<string | null, Map<string, number>>();

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
    const series: number[] = [];
    const values: number[] = [];
    const names: (string | null)[] = [];
    let isCut = false;
    const known = kind === 'right' ? this.#knownOf(who) : none;
    for (const field of kind === 'right' ? fields : []) {
      if (!isMeasured(field)) {
        continue;
      }
      const { named } = field;
      const label = labelOf(field);
      let id = known.get(label);
      if (series.length === MAX_NUMBERS) {
        isCut = true;
        break;
      }
      if (id === undefined) {
        id = this.#seriesNamed(seriesNameOf(who, label), field.unit ?? '');
        known.set(label, id);
      }
      series.push(id);
      values.push(numberOfField(field));
      names.push(named === undefined || named === ABSENT ? null : named);
    }
    return {
      count: series.length,
      series,
      values,
      names,
      times: series.map(() => adapterAt ?? Number.NaN),
      hasTimes: adapterAt !== undefined && series.length > 0,
      clock: 'adapter',
      needed: FRAMES_NEEDED,
      isCut,
    };
  }

  forget(): void {
    this.#known.clear();
    this.#text.forget();
  }

  /** Returns the series of a sender by the names of their fields. */
  #knownOf(who: string | null): Map<string, number> {
    let known = this.#known.get(who);
    if (known === undefined) {
      known = new Map();
      this.#known.set(who, known);
    }
    return known;
  }
}

/** Returns the name of the curve of a sender's field. */
const seriesNameOf = (who: string | null, label: string): string => (who === null ? label : `${who} ${label}`);

/** Returns the name of the series that the values of a field make; null for a field that is no measured number. */
export function seriesOfField({ kind, who }: DecodedFrame, field: DecodedField): string | null {
  return kind === 'right' && isMeasured(field) ? seriesNameOf(who, labelOf(field)) : null;
}

const none = new Map<string, number>();

/** A field without a value is a gap, so that it stays a reading if its name is one of a number. */
function isMeasured({ value, isHeader }: DecodedField): boolean {
  const isNumber =
    typeof value === 'number' || value === null || typeof value === 'bigint' || typeof value === 'boolean';
  return isNumber && isHeader !== true;
}

/** Numbers of 64 bits are drawn as the nearest double; CSV of frames has all of their digits. */
function numberOfField({ value, named }: DecodedField): number {
  return value === null || named === ABSENT ? Number.NaN : Number(value);
}
