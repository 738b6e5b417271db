/** What was sampled, as the plot takes it and as a file. */
import type { PlotPicture } from '../../../workbench/bench-protocol.ts';
import type { SampledPin } from '../store/adc-samples.ts';

/** Colours that the style sheet has for series. */
export const seriesCount = 8;

/** Lines of a file that become one piece of text. */
const linesOfPiece = 50_000;

/** The newest `span` milliseconds up to `to`; each series is one pin, its id the place of the pin. */
export function pictureOf(pins: readonly SampledPin[], revision: number, to: number, span: number): PlotPicture {
  const from = to - span;
  const ranges = pins.map(({ times }) => ({ first: firstAt(times, from), end: firstAt(times, to + 1) }));
  const most = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
  const times = new Float64Array(most);
  const columns = pins.map(() => new Float64Array(most).fill(Number.NaN));
  let count = 0;
  for (const { at, pin, index } of inOrder(pins, ranges)) {
    if (count === 0 || times[count - 1] !== at) {
      times[count] = at;
      count++;
    }
    const column = columns[pin];
    if (column !== undefined) {
      column[count - 1] = pins[pin]?.volts[index] ?? Number.NaN;
    }
  }
  const series = columns.map((values, id) => ({ id, values: values.subarray(0, count) }));
  return { revision, series: [], skippedLines: 0, from, to, window: { times: times.subarray(0, count), series } };
}

interface PlacedSample {
  readonly at: number;
  /** Its place in the list of pins. */
  readonly pin: number;
  readonly index: number;
}

/** All samples of the ranges in the order of time. */
function* inOrder(
  pins: readonly SampledPin[],
  ranges: readonly { readonly first: number; readonly end: number }[],
): Generator<PlacedSample> {
  const next = ranges.map(({ first }) => first);
  for (;;) {
    let pin = -1;
    let at = Number.POSITIVE_INFINITY;
    for (const [place, { times }] of pins.entries()) {
      const index = next[place] ?? 0;
      const time = times[index];
      if (index < (ranges[place]?.end ?? 0) && time !== undefined && time < at) {
        pin = place;
        at = time;
      }
    }
    const index = next[pin];
    if (index === undefined) {
      return;
    }
    next[pin] = index + 1;
    yield { at, pin, index };
  }
}

/** Index of the first time that is not before `at`. */
function firstAt(times: Float64Array, at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** One line for each sample: RFC 4180, times as ISO 8601. In pieces, as all of it may be longer than one text can be. */
export function samplesCsv(pins: readonly SampledPin[]): readonly string[] {
  const ranges = pins.map(({ times }) => ({ first: 0, end: times.length }));
  const pieces: string[] = [];
  let lines = ['time,gpio,raw,about_volts\r\n'];
  for (const { at, pin, index } of inOrder(pins, ranges)) {
    const sampled = pins[pin];
    lines.push(
      `${new Date(at).toISOString()},${sampled?.gpio},${sampled?.raw[index]},${sampled?.volts[index]?.toFixed(3)}\r\n`,
    );
    if (lines.length === linesOfPiece) {
      pieces.push(lines.join(''));
      lines = [];
    }
  }
  return [...pieces, lines.join('')];
}
