import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeBench } from '../../workbench/testing/fake-bench.ts';
import { offersOf, RememberedBoards, readBoards, rememberBoard } from './remembered-boards.tsx';
import { changePort, changeTerminalSettings, terminalSettingsNow } from './settings/settings-store.ts';
import { defaultTerminalSettings } from './settings/terminal-settings.ts';

const call = fakeBench();

/** Plugs in boards that this site may open. */
function plugIn(...infos: SerialPortInfo[]): void {
  const ports = infos.map((info) => ({ getInfo: () => info, connected: true }));
  const serial = Object.assign(new EventTarget(), { getPorts: async () => ports });
  Object.defineProperty(navigator, 'serial', { configurable: true, value: serial });
}

const cp2102 = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const pico = { usbVendorId: 0x2e8a, usbProductId: 0x000a };
const placed = (...infos: SerialPortInfo[]) => infos.map((info, index) => ({ index, count: infos.length, info }));
const fast = { ...defaultPortSettings, baudRate: 921_600 };
const gnss = { info: cp2102, port: 2, name: 'GNSS M10', settings: fast } as const;

describe('remembered boards', () => {
  beforeEach(() => {
    localStorage.clear();
    changeTerminalSettings(defaultTerminalSettings);
    call.mockClear();
  });
  afterEach(() => {
    cleanup();
    Reflect.deleteProperty(navigator, 'serial');
  });

  it('are connected by one click, on the port, under the name and with the settings of before', async () => {
    rememberBoard(gnss);
    plugIn(cp2102);
    render(<RememberedBoards port={1} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect GNSS M10' }));
    expect(call).toHaveBeenCalledWith('connect', 2, { kind: 'serial', place: placed(cp2102)[0] }, fast);
    expect(terminalSettingsNow().ports[2]).toMatchObject({ name: 'GNSS M10', settings: fast });
  });

  it('are offered by their device names if they were allowed but never connected here', async () => {
    changePort(1, { name: '' });
    plugIn(pico);
    render(<RememberedBoards port={1} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Pico' }));
    expect(call).toHaveBeenCalledWith('connect', 1, expect.anything(), defaultPortSettings);
  });

  it('keep their ports apart if they are of one kind', () => {
    const other = { ...gnss, port: 3, name: 'Spare' } as const;
    const offers = offersOf(placed(cp2102, pico, cp2102), [gnss, other]);
    expect(offers.map(({ board }) => board?.name)).toEqual(['GNSS M10', undefined, 'Spare']);
  });

  it('are remembered once for each port, the newest first', () => {
    rememberBoard(gnss);
    rememberBoard({ ...gnss, info: pico });
    rememberBoard({ ...gnss, name: 'Renamed' });
    const boards = readBoards(localStorage.getItem('wirebench.boards'));
    expect(boards.map(({ info, name }) => [info, name])).toEqual([
      [cp2102, 'Renamed'],
      [pico, 'GNSS M10'],
    ]);
  });

  it.each([null, '', 'null', '{}', '[1, null, {"port": 9}]', '[{"port": 1, "info": {"usbVendorId": "x"}}]'])(
    'are empty for damaged text: %s',
    (text) => {
      expect(readBoards(text)).toEqual([]);
    },
  );
});
