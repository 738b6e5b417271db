import { defaultFraming, defaultPortSettings } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changePortSettings, changeSettings, lendSettings, returnLent, terminalSettings } from './settings-store.ts';
import { defaultTerminalSettings } from './terminal-settings.ts';

const stored = () => JSON.parse(localStorage.getItem('wirebench.terminal') ?? '{}');
const inForce = () => terminalSettings.getState();
const own = { name: 'Mine', settings: { ...defaultPortSettings, baudRate: 38_400 }, framing: defaultFraming };

describe('lent settings', () => {
  beforeEach(() => {
    terminalSettings.setState({ ...defaultTerminalSettings, ports: { ...defaultTerminalSettings.ports, 2: own } });
    lendSettings(2, { settings: { baudRate: 9_600 }, lineEnding: 'crlf', name: 'GNSS' });
  });
  afterEach(returnLent);

  it('are in force and not remembered, whatever else is changed meanwhile', () => {
    changeSettings({ layout: 'hex' });
    changePortSettings(1, { dataBits: 7 });
    expect(inForce().ports[2]).toEqual({ ...own, name: 'GNSS', settings: { ...defaultPortSettings, baudRate: 9_600 } });
    expect(inForce().lineEnding).toBe('crlf');
    expect(stored()).toMatchObject({
      layout: 'hex',
      lineEnding: 'lf',
      ports: { 1: { settings: { dataBits: 7 } }, 2: own },
    });
  });

  it('are remembered with the first change that is made to them', () => {
    changePortSettings(2, { parity: 'odd' });
    changeSettings({ lineEnding: 'cr' });
    expect(stored().ports[2]).toEqual({
      ...own,
      name: 'GNSS',
      settings: { ...defaultPortSettings, baudRate: 9_600, parity: 'odd' },
    });
    expect(stored().lineEnding).toBe('cr');
  });

  it('give way to the own ones, and to others that are lent after them', () => {
    lendSettings(2, { settings: { stopBits: 2 } });
    expect(inForce().ports[2]).toEqual({ ...own, settings: { ...own.settings, stopBits: 2 } });
    expect(inForce().lineEnding).toBe('lf');
    returnLent();
    expect(inForce().ports[2]).toEqual(own);
    expect(stored().ports[2]).toEqual(own);
  });
});
