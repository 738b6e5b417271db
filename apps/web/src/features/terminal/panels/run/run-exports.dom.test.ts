import { defaultPortSettings } from '@wirebench/port';
import { describe, expect, it } from 'vitest';
import { commandOf } from './run-exports.ts';

describe('command of a run', () => {
  it('has the settings of the port that are not the usual ones', () => {
    expect(commandOf('Modem.json', defaultPortSettings)).toBe('wirebench test Modem.json --port PORT');
    const settings = { baudRate: 9_600, dataBits: 7, stopBits: 2, parity: 'even', flowControl: 'hardware' } as const;
    expect(commandOf('Modem.json', { ...settings, linesAtOpen: 'keep' })).toBe(
      'wirebench test Modem.json --port PORT --baud 9600 --data-bits 7 --stop-bits 2 --parity even --flow hardware --lines keep',
    );
  });
});
