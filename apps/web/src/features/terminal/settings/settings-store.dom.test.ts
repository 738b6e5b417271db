import { defaultPortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import {
  applyTemporarySettings,
  changePort,
  changePortSettings,
  changeSettings,
  changeTerminalSettings,
  endTemporarySettings,
  onTerminalSettingsChange,
  terminalSettingsNow,
} from './settings-store.ts';
import {
  defaultTerminalSettings,
  type PortPreferences,
  type PortSettingName,
  portSettingNames,
  writeTerminalSettings,
} from './terminal-settings.ts';

const stored = () => JSON.parse(localStorage.getItem('wirebench.terminal') ?? '{}');
const inForce = () => terminalSettingsNow();
const own = {
  ...defaultTerminalSettings.ports[2],
  name: 'Mine',
  settings: { ...defaultPortSettings, baudRate: 38_400 },
  reconnect: false,
};

/** For each setting of a port a value that it has neither without a choice nor by the link. */
const others: { readonly [Name in PortSettingName]: PortPreferences[Name] } = {
  name: 'Other',
  settings: { ...defaultPortSettings, baudRate: 57_600 },
  framing: { name: 'slip', options: {} },
  decoder: 'nmea',
  answersOn: 3,
  reconnect: true,
  inputMode: 'hex',
  lineEnding: 'cr',
  pieces: { bytes: 4, pause: 20 },
  linePause: 7,
};

describe('temporary settings', () => {
  beforeEach(() => {
    changeTerminalSettings({ ...defaultTerminalSettings, ports: { ...defaultTerminalSettings.ports, 2: own } });
    applyTemporarySettings(2, { settings: { baudRate: 9_600 }, lineEnding: 'crlf', name: 'GNSS' });
  });
  afterEach(endTemporarySettings);

  it('are in force and not stored, whatever else is changed', () => {
    changeSettings({ layout: 'hex' });
    changePortSettings(1, { dataBits: 7 });
    expect(inForce().ports[2]).toEqual({
      ...own,
      name: 'GNSS',
      settings: { ...defaultPortSettings, baudRate: 9_600 },
      lineEnding: 'crlf',
    });
    expect(inForce().ports[1].lineEnding).toBe('lf');
    expect(stored()).toMatchObject({
      layout: 'hex',
      ports: { 1: { settings: { dataBits: 7 } }, 2: own },
    });
  });

  it('are stored with the first change that is made to them', () => {
    changePortSettings(2, { parity: 'odd' });
    const changed = { ...own, name: 'GNSS', settings: { ...defaultPortSettings, baudRate: 9_600, parity: 'odd' } };
    expect(stored().ports[2]).toEqual(changed);
    changePort(2, { lineEnding: 'cr' });
    expect(stored().ports[2]).toEqual({ ...changed, lineEnding: 'cr' });
  });

  it('are not stored when only the kind or the ending is chosen', () => {
    changePort(2, { inputMode: 'hex' });
    expect(stored().ports[2]).toEqual({ ...own, inputMode: 'hex' });
    changePort(2, { lineEnding: 'none' });
    expect(stored().ports[2]).toEqual({ ...own, inputMode: 'hex', lineEnding: 'none' });
    endTemporarySettings();
    expect(inForce().ports[2]).toEqual({ ...own, inputMode: 'hex', lineEnding: 'none' });
  });

  it.each(portSettingNames)('lose no choice of the visit: %s', (name) => {
    changePort(2, { [name]: others[name] });
    expect(stored().ports[2][name]).toEqual(others[name]);
    endTemporarySettings();
    expect(inForce().ports[2][name]).toEqual(others[name]);
  });

  it('give way to the user’s own ones, and to later temporary ones', () => {
    applyTemporarySettings(2, { settings: { stopBits: 2 } });
    expect(inForce().ports[2]).toEqual({ ...own, settings: { ...own.settings, stopBits: 2 } });
    endTemporarySettings();
    expect(inForce().ports[2]).toEqual(own);
    expect(stored().ports[2]).toEqual(own);
  });
});

describe('a storage', () => {
  beforeEach(() => changeTerminalSettings(defaultTerminalSettings));
  afterEach(() => {
    vi.restoreAllMocks();
    resetStores();
  });

  it('applies changes when it is full, reports that once, and stores them when it has room', () => {
    const seen = vi.fn();
    const end = onTerminalSettingsChange(seen);
    const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    changeSettings({ layout: 'hex' });
    changePort(1, { name: 'S3 gateway' });
    end();
    expect(inForce()).toMatchObject({ layout: 'hex', ports: { 1: { name: 'S3 gateway' } } });
    expect(seen).toHaveBeenCalledTimes(2);
    const { current, waiting } = toasts();
    expect(current?.text).toBe(
      "The terminal settings could not be saved: the browser's storage for this site is full. Delete other data of this site; until then, changes are lost when the page is closed.",
    );
    expect(waiting).toEqual([]);
    write.mockRestore();
    changeSettings({ marks: false });
    expect(stored()).toMatchObject({ layout: 'hex', marks: false, ports: { 1: { name: 'S3 gateway' } } });
  });

  it('keeps the changes that another tab has written', () => {
    changePortSettings(1, { baudRate: 9_600 });
    const { ports } = inForce();
    const theirs = { ...inForce(), times: 'delta' as const, ports: { ...ports, 2: own } };
    localStorage.setItem('wirebench.terminal', writeTerminalSettings(theirs));
    changeSettings({ layout: 'hex' });
    changePort(3, { name: 'VFD drive' });
    expect(stored()).toMatchObject({
      layout: 'hex',
      times: 'delta',
      ports: { 1: { settings: { baudRate: 9_600 } }, 2: own, 3: { name: 'VFD drive' } },
    });
    expect(inForce().times).toBe('clock');
  });
});
