/**
 * A line becomes readings here, and nowhere else: which series, which value or none, its name, its unit. `TextLineReader` reads them in
 * text. A reader of another form gives the same `LineReadings`, so that plots and rules need not know which one read the line.
 */
import type { LineChannel } from '../line-channel.ts';
import { drawsMoreThan } from '../visible-bytes.ts';
import { LabelBook, type SeriesNamed } from './label-book.ts';
import { LONGEST_LINE, type NumberFormat, NumberLine } from './number-line.ts';

/** Readings of one line. Valid until the reader reads the next line. */
export interface LineReadings {
  /** Number of readings. A reading without a value is one, too: a gap in its series. */
  readonly count: number;
  /** ID of the series of each reading. */
  readonly series: ArrayLike<number>;
  /** Value of each reading. NaN: it has none, or only a text. */
  readonly values: ArrayLike<number>;
  /** Name of a value (`second` for 2), or a text in the place of a value. Null: neither. */
  readonly names: ArrayLike<string | null>;
  /** Times by the board's own clock, in milliseconds. NaN for a reading without one. */
  readonly times: ArrayLike<number>;
  /** True: some reading has a time of the board. */
  readonly hasTimes: boolean;
  /** Clock of these times: the board's, or that of an adapter that stamps what it passes on. */
  readonly clock: 'board' | 'adapter';
  /** Lines with a reading since the board's last start from which its series becomes a curve. */
  readonly needed: number;
  /** True: the line has more readings than are read. */
  readonly isCut: boolean;
  /** Text of a value that no curve has; empty without one. Missing: the reader leaves none out. */
  readonly leftOut?: string;
}

/** Reads the lines of one port, in their order. */
export interface LineReader {
  /** True: a line with readings was too long to be read. */
  readonly hasLongLines: boolean;
  /**
   * Reads a line.
   *
   * @param bytes Bytes of the line, from `from` up to `to`, without its ending.
   * @param channel Stream of the line, for readers that need its time or the fault of its frame.
   * @param ordinal Number of the line in the channel.
   */
  read(bytes: Uint8Array, from: number, to: number, channel: LineChannel, ordinal: number): LineReadings;
  /** Forgets the IDs of series: they are no longer valid. */
  forget(): void;
}

/**
 * Lines with a reading from which it becomes a curve, by form: a sample with its own time or text, columns, names in a line with
 * readings only, and names in a line with other text. A boot log repeats a name of the last form up to seven times (segments of an
 * ESP32 app).
 */
const SAMPLE_LINES = 1;
const COLUMN_LINES = 2;
const PURE_LINES = 3;
const TEXT_LINES = 8;

/** Unit in brackets at the end of a name: `Power (W)`, `temp [°C]`. */
const bracketUnit = /\s*[([]\s*([%\p{L}°µΩ][^()[\]]{0,7}?)\s*[)\]]$/u;

/** Units at the end of a name, behind `_`. Letters that are as often something else (`_s`, `_m`, `_b`) are left out. */
const suffixUnits: ReadonlyMap<string, string> = new Map([
  ...[
    'V',
    'mV',
    'kV',
    'A',
    'mA',
    'W',
    'mW',
    'kW',
    'Wh',
    'Hz',
    'kHz',
    'MHz',
    'GHz',
    'ms',
    'ns',
    'mm',
    'cm',
    'km',
    'mg',
  ].map((unit) => [unit.toLowerCase(), unit] as const),
  ...[
    'kg',
    'Pa',
    'hPa',
    'kPa',
    'mbar',
    'bar',
    'psi',
    'rpm',
    'rad',
    'dB',
    'dBm',
    'lx',
    'ppm',
    'ppb',
    'kB',
    'KiB',
    'MB',
    'MiB',
  ].map((unit) => [unit.toLowerCase(), unit] as const),
  ['c', '°C'],
  ['degc', '°C'],
  ['celsius', '°C'],
  ['degf', '°F'],
  ['fahrenheit', '°F'],
  ['deg', '°'],
  ['pct', '%'],
  ['percent', '%'],
  ['rh', '%RH'],
  ['uv', 'µV'],
  ['ua', 'µA'],
  ['uw', 'µW'],
  ['us', 'µs'],
  ['um', 'µm'],
  ['ut', 'µT'],
  ['lux', 'lx'],
  ['ohm', 'Ω'],
  ['kohm', 'kΩ'],
  ['mps', 'm/s'],
  ['kmh', 'km/h'],
  ['dps', '°/s'],
]);

/** A name without the unit in its brackets, and the unit that it gives; empty without one. */
export interface NamedUnit {
  readonly title: string;
  readonly unit: string;
}

/** Finds the unit that a name gives: in brackets, as in `Power (W)`, or behind its last `_`, as in `vbat_mV`. */
export function unitInName(name: string): NamedUnit {
  const bracket = bracketUnit.exec(name);
  if (bracket !== null && bracket.index > 0) {
    return { title: name.slice(0, bracket.index), unit: bracket[1] ?? '' };
  }
  const suffix = /_([a-zA-Z]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return { title: name, unit: suffixUnits.get(suffix) ?? '' };
}

const decoder = new TextDecoder();

/** Readings in text: numbers behind names, or in columns. */
export class TextLineReader implements LineReader, LineReadings {
  readonly #format: NumberFormat;
  readonly #labels: LabelBook;
  readonly #line = new NumberLine();
  series: readonly number[] = [];
  readonly clock = 'board';
  count = 0;
  needed = PURE_LINES;
  hasLongLines = false;

  constructor(seriesNamed: SeriesNamed, format: NumberFormat = 'any') {
    this.#format = format;
    this.#labels = new LabelBook(seriesNamed);
  }

  get values(): Float64Array {
    return this.#line.values;
  }

  get names(): readonly (string | null)[] {
    return this.#line.texts;
  }

  get times(): Float64Array {
    return this.#line.times;
  }

  get hasTimes(): boolean {
    return this.#line.hasTimes;
  }

  get isCut(): boolean {
    return this.#line.isCut;
  }

  get leftOut(): string {
    const { bytes, leftOutStart, leftOutEnd } = this.#line;
    return leftOutEnd === 0 ? '' : decoder.decode(bytes.subarray(leftOutStart, leftOutEnd));
  }

  read(bytes: Uint8Array, from: number, to: number): LineReadings {
    const line = this.#line;
    this.count = 0;
    if (drawsMoreThan(LONGEST_LINE, bytes, from, to)) {
      if (!this.hasLongLines) {
        line.read(bytes, from, from + LONGEST_LINE, this.#format);
        this.hasLongLines = line.count > 0;
      }
      return this;
    }
    line.read(bytes, from, to, this.#format);
    if (line.count + line.gapCount === 0) {
      this.#labels.skip(line.bytes, line.start, line.end);
      return this;
    }
    this.series = this.#labels.seriesOf(line);
    this.count = this.series.length;
    const isSample = line.hasTimes || line.texts.length > 0;
    this.needed = isSample ? SAMPLE_LINES : !line.labelled ? COLUMN_LINES : line.pure ? PURE_LINES : TEXT_LINES;
    return this;
  }

  forget(): void {
    this.#labels.forget();
  }
}
