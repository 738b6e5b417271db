import { expect, it } from 'vitest';
import { addSamples, forgetSamples, sampledPins, samplesNow } from '../store/adc-samples.ts';
import { samplesCsv } from './analog-panel.tsx';

const sample = (gpio: number, at: number, volts: number) => ({ gpio, at, raw: Math.round(volts * 1_000), volts });

it('writes one line of CSV for each sample, in the order of time', () => {
  forgetSamples();
  addSamples([sample(34, 0, 1), sample(35, 5, 2), sample(34, 20, 1.5)]);
  expect(samplesCsv(sampledPins()).join('').split('\r\n')).toEqual([
    'time,gpio,raw,about_volts',
    '1970-01-01T00:00:00.000Z,34,1000,1.000',
    '1970-01-01T00:00:00.005Z,35,2000,2.000',
    '1970-01-01T00:00:00.020Z,34,1500,1.500',
    '',
  ]);
});

it('keeps an hour of eight pins, which is more than the first ten minutes', () => {
  forgetSamples();
  const hour = 3_600 * 50;
  for (let pin = 0; pin < 8; pin++) {
    addSamples(Array.from({ length: hour }, (_, index) => sample(32 + pin, index * 20, 1)));
  }
  expect(sampledPins().map(({ times }) => times.length)).toEqual(Array.from({ length: 8 }, () => hour));
  expect(samplesNow().dropped).toBe(0);
});

it('lets the oldest samples of the pin go that has most, and counts them', () => {
  forgetSamples();
  addSamples(
    Array.from({ length: 10 }, (_, at) => sample(35, at, 2)),
    1_000,
  );
  addSamples(
    Array.from({ length: 1_000 }, (_, at) => sample(34, at, 1)),
    1_000,
  );
  const [short, long] = sampledPins();
  expect(short?.times.length).toBe(10);
  expect(long?.times[0]).toBe(125);
  expect([long?.times.at(-1), long?.raw.at(-1), long?.volts.at(-1)]).toEqual([999, 1_000, 1]);
  expect(samplesNow().dropped).toBe(125);
  forgetSamples();
  expect(samplesNow().dropped).toBe(0);
});

it('puts the samples of all pins into a file of many pieces in the order of time', () => {
  forgetSamples();
  addSamples(Array.from({ length: 40_000 }, (_, index) => sample(34, 2 * index, 1)));
  addSamples(Array.from({ length: 40_000 }, (_, index) => sample(35, 2 * index + 1, 2)));
  const pieces = samplesCsv(sampledPins());
  expect(pieces).toHaveLength(2);
  const lines = pieces.join('').trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(80_000);
  expect(lines).toEqual(lines.toSorted());
});
