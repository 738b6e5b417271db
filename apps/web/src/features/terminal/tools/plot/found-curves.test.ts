import { expect, it } from 'vitest';
import { foundCurves } from './found-curves.ts';

const all = [
  { name: 'gga.satellites', unit: '' },
  { name: 'gsv.gps.satellites', unit: '' },
  { name: 'speed', unit: 'm/s' },
  { name: 'W.AvgPow(W)', unit: '' },
  { name: 'Board temperature', unit: '°C' },
];

it.each([
  ['', ['gga.satellites', 'gsv.gps.satellites', 'speed', 'W.AvgPow(W)', 'Board temperature']],
  ['SAT', ['gga.satellites', 'gsv.gps.satellites']],
  ['sat gps', ['gsv.gps.satellites']],
  ['m/s', ['speed']],
  ['°c', ['Board temperature']],
  ['avgpow w', ['W.AvgPow(W)']],
  ['volt', []],
])('finds curves by "%s" in names and units', (search, names) => {
  expect(foundCurves(all, search).map(({ name }) => name)).toEqual(names);
});
