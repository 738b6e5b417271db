/** What was sampled, as a file. */
import type { SampledPin } from '../store/adc-samples.ts';

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
