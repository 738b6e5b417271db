/**
 * Assigns the numbers of one port's lines to series: by their names, or by their columns and a header. Names usually
 * come in the same order in each line, so they are recognised by comparing bytes.
 */
import type { NumberLine } from './number-line.ts';
import { isEqual, kindAt, SEPARATOR } from './plot-bytes.ts';

const [COLON, EQUALS] = [0x3a, 0x3d];
const columnName = /^[\p{L}_][^,;\t=:]{0,63}$/u;
const decoder = new TextDecoder();

/** ID of the series of a number in a line. */
type SeriesNumber = number;

/**
 * Returns the ID of the series with this name, and creates it if necessary.
 *
 * @param unit Unit of its values as it stands in the line: `°C`. Empty: the line has none.
 */
export type SeriesNamed = (name: string, unit: string) => SeriesNumber;

interface KnownLabel {
  readonly bytes: Uint8Array;
  readonly part: number;
  readonly series: SeriesNumber;
}

export class LabelBook {
  readonly #seriesOf: SeriesNamed;
  /** Names of the last line by their position in the line. */
  readonly #labels: KnownLabel[] = [];
  /** Series of the names in the line that was read last. */
  readonly #found: SeriesNumber[] = [];
  /** Column names from the line right before the next one. They apply if that line has as many columns. */
  #announced: readonly string[] | null = null;
  #header: readonly string[] | null = null;
  /**
   * Series of the columns of the last line. `#columnsOf` is the number of columns and the tag that they were named
   * after.
   */
  #columns: readonly SeriesNumber[] = [];
  #columnsOf = '';

  constructor(seriesOf: SeriesNamed) {
    this.#seriesOf = seriesOf;
  }

  /** Takes a line that may be a header. */
  skip(bytes: Uint8Array, from: number, to: number): void {
    this.#announced = mayHaveColumns(bytes, from, to) ? headerOf(decoder.decode(bytes.subarray(from, to))) : null;
  }

  /** Clears the cached series of names and columns. Headers stay. */
  forget(): void {
    this.#labels.length = 0;
    this.#columnsOf = '';
  }

  /**
   * Returns the series of each reading of the line, valid until the next line. It has one more entry than the line's
   * readings if the last column is empty.
   */
  seriesOf(line: NumberLine): readonly SeriesNumber[] {
    const announced = this.#announced;
    this.#announced = null;
    if (line.labelled) {
      if (line.mayBeHeader) {
        this.skip(line.bytes, line.start, line.end);
      }
      return this.#labelled(line);
    }
    const count = line.count + line.gapCount;
    const full = count + line.trailing;
    if (announced !== null && (announced.length === count || announced.length === full) && line.tagEnd === 0) {
      this.#header = announced;
      this.#columnsOf = '';
    }
    return this.#byColumn(line, this.#header?.length === full ? full : count);
  }

  #labelled(line: NumberLine): readonly SeriesNumber[] {
    const { bytes } = line;
    const series = this.#found;
    const count = line.count + line.gapCount;
    if (series.length !== count) {
      series.length = count;
    }
    for (let index = 0; index < count; index++) {
      const start = line.nameStarts[index] as number;
      const end = line.nameEnds[index] as number;
      const part = line.parts[index] as number;
      let label = this.#labels[index];
      if (label === undefined || label.part !== part || !isEqual(label.bytes, bytes, start, end)) {
        const name = `${decoder.decode(bytes.subarray(start, end))}${part === 0 ? '' : ` ${part}`}`;
        label = { bytes: bytes.slice(start, end), part, series: this.#seriesOf(name, line.unitOf(index)) };
        this.#labels[index] = label;
      }
      series[index] = label.series;
    }
    return series;
  }

  #byColumn(line: NumberLine, count: number): readonly SeriesNumber[] {
    const { bytes, tagStart, tagEnd } = line;
    const tag = tagEnd === 0 ? '' : decoder.decode(bytes.subarray(tagStart, tagEnd));
    const named = `${count} ${tag}`;
    if (named !== this.#columnsOf) {
      const header = tag === '' && this.#header?.length === count ? this.#header : null;
      this.#columns = Array.from({ length: count }, (_, column) =>
        this.#seriesOf(header?.[column] ?? columnNameOf(tag, column, count), line.unitOf(column)),
      );
      this.#columnsOf = named;
    }
    return this.#columns;
  }
}

function columnNameOf(tag: string, column: number, count: number): string {
  if (count === 1) {
    return tag === '' ? 'Value' : tag;
  }
  return tag === '' ? `Column ${column + 1}` : `${tag} ${column + 1}`;
}

/**
 * Returns true if the bytes of a line may be a header: a separator, and no byte that ends a name in front of a value.
 */
function mayHaveColumns(bytes: Uint8Array, from: number, to: number): boolean {
  let isSeparated = false;
  for (let at = from; at < to; at++) {
    if (bytes[at] === COLON || bytes[at] === EQUALS) {
      return false;
    }
    isSeparated ||= (kindAt(bytes, at) & SEPARATOR) !== 0;
  }
  return isSeparated;
}

/** Parses a header: at least two names, separated by commas, semicolons or tabs; null for any other line. */
function headerOf(line: string): readonly string[] | null {
  const separator = /[,;\t]/.exec(line)?.[0];
  if (separator === undefined) {
    return null;
  }
  const names = line.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return names.every((name) => columnName.test(name)) ? names : null;
}
