import { expect, it } from 'vitest';
import { addSamples, forgetSamples, sampledPins } from '../store/adc-samples.ts';
import { samplesCsv } from './samples.ts';

const sample = (gpio: number, at: number, volts: number) => ({ gpio, at, raw: Math.round(volts * 1_000), volts });

it('writes one line of CSV for each sample, in the order of time', () => {
  forgetSamples();
  addSamples([sample(34, 0, 1), sample(35, 5, 2), sample(34, 20, 1.5)]);
  expect(samplesCsv(sampledPins()).split('\r\n')).toEqual([
    'time,gpio,raw,about_volts',
    '1970-01-01T00:00:00.000Z,34,1000,1.000',
    '1970-01-01T00:00:00.005Z,35,2000,2.000',
    '1970-01-01T00:00:00.020Z,34,1500,1.500',
    '',
  ]);
});

it('keeps the newest samples of a pin that is sampled for hours', () => {
  forgetSamples();
  addSamples(Array.from({ length: 20_001 }, (_, at) => sample(34, at, 1)));
  expect(sampledPins()[0]?.times.length).toBeLessThanOrEqual(20_000);
  expect(sampledPins()[0]?.times.at(-1)).toBe(20_000);
});
