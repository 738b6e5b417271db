import { expect, it } from 'vitest';
import { readingsCsv } from './device-readings.tsx';

it('has a column for each reading, and nothing where one failed', () => {
  const readings = [
    { name: 'Temperature', unit: '°C' },
    { name: 'State', unit: '' },
  ];
  const history = {
    times: [0, 1_000],
    values: [
      [21.5, Number.NaN],
      [1, 0],
    ],
  };
  expect(readingsCsv(readings, history)).toBe(
    'time,Temperature (°C),State\r\n1970-01-01T00:00:00.000Z,21.5,1\r\n1970-01-01T00:00:01.000Z,,0\r\n',
  );
});

it('a name that a spreadsheet would calculate, or that has commas and quotes, stays text', () => {
  const head = readingsCsv(
    [
      { name: '=HYPERLINK("x")', unit: '' },
      { name: 'a,b', unit: '"' },
    ],
    { times: [], values: [] },
  );
  expect(head).toBe(`time,"'=HYPERLINK(""x"")","a,b ("")"\r\n`);
});
