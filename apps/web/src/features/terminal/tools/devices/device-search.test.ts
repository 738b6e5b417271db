import { defaultPortSettings } from '@wirebench/port';
import { describe, expect, it } from 'vitest';
import { optionsOf, type SearchChoice } from './device-search.ts';

const own = { ...defaultPortSettings, baudRate: 19_200, parity: 'even' } as const;
const choice: SearchChoice = {
  from: '1',
  to: ' 31 ',
  rates: [9_600, 19_200],
  parities: ['none', 'even'],
  limit: 200,
  hasRegisters: true,
  first: '0',
  last: '9',
};

describe('options of a search', () => {
  it('begin with the settings of the open port, and have each setting once', () => {
    const { lines } = optionsOf(choice, own, false);
    expect(lines.map(({ baudRate, parity }) => `${baudRate} ${parity}`)).toEqual([
      '19200 even',
      '19200 none',
      '9600 even',
      '9600 none',
    ]);
    expect(lines.every(({ stopBits, dataBits }) => stopBits === own.stopBits && dataBits === own.dataBits)).toBe(true);
  });

  it('have numbers for what was typed, and none for other text', () => {
    expect(optionsOf(choice, own, true)).toMatchObject({
      units: { from: 1, to: 31 },
      registers: { from: 0, to: 9 },
      ignoresTraffic: true,
    });
    expect(optionsOf({ ...choice, from: '1e2', to: '-3' }, own, false).units).toEqual({
      from: Number.NaN,
      to: Number.NaN,
    });
    expect(optionsOf({ ...choice, hasRegisters: false }, own, false).registers).toBeNull();
  });
});
