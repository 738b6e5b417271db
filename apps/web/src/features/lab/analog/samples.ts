/** What was sampled, as the plot takes it and as a file. */
import type { PlotPicture } from '../../../workbench/bench-protocol.ts';
import type { SampledPin } from '../store/adc-samples.ts';

/** Colours that the style sheet has for series. */
export const seriesCount = 8;

/** The newest `span` milliseconds up to `to`; each series is one pin, its id the place of the pin. */
export function pictureOf(pins: readonly SampledPin[], revision: number, to: number, span: number): PlotPicture {
  const from = to - span;
  const times = Float64Array.from(
    [...new Set(pins.flatMap((pin) => pin.times.slice(firstAt(pin.times, from), firstAt(pin.times, to + 1))))].sort(
      (one, two) => one - two,
    ),
  );
  const series = pins.map((pin, id) => {
    const values = new Float64Array(times.length).fill(Number.NaN);
    let at = firstAt(pin.times, from);
    for (const [index, time] of times.entries()) {
      if (pin.times[at] === time) {
        values[index] = pin.volts[at] ?? Number.NaN;
        at++;
      }
    }
    return { id, values };
  });
  return { revision, series: [], skippedLines: 0, from, to, window: { times, series } };
}

/** Index of the first time that is not before `at`. */
function firstAt(times: readonly number[], at: number): number {
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

/** One line for each sample: RFC 4180, times as ISO 8601. */
export function samplesCsv(pins: readonly SampledPin[]): string {
  const rows = pins.flatMap(({ gpio, times, raw, volts }) =>
    times.map((at, index) => ({
      at,
      text: `${new Date(at).toISOString()},${gpio},${raw[index]},${volts[index]?.toFixed(3)}`,
    })),
  );
  return [
    'time,gpio,raw,about_volts',
    ...rows.toSorted((one, two) => one.at - two.at).map(({ text }) => text),
    '',
  ].join('\r\n');
}
