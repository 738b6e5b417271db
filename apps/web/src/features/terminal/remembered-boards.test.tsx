import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PortPlace } from '../../hardware/permitted-ports.ts';
import { connectSource } from '../../workbench/port-picker/connect-port.ts';
import { offersOf, RememberedBoards, readBoards, rememberBoard } from './remembered-boards.tsx';
import { changeTerminalSettings, renamePort, terminalSettingsNow } from './settings/settings-store.ts';
import { defaultTerminalSettings } from './settings/terminal-settings.ts';

const places = vi.hoisted(() => vi.fn<() => Promise<PortPlace[]>>());
vi.mock('../../hardware/permitted-ports.ts', async (original) => ({
  ...(await original<object>()),
  permittedPlaces: places,
}));
vi.mock('../../workbench/port-picker/connect-port.ts', () => ({ connectSource: vi.fn(), onConnected: vi.fn() }));

const cp2102 = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const pico = { usbVendorId: 0x2e8a, usbProductId: 0x000a };
const placed = (...infos: SerialPortInfo[]) => infos.map((info, index) => ({ index, count: infos.length, info }));
const fast = { ...defaultPortSettings, baudRate: 921_600 };
const gnss = { info: cp2102, port: 2, name: 'GNSS M10', settings: fast } as const;

describe('remembered boards', () => {
  beforeEach(() => {
    localStorage.clear();
    changeTerminalSettings(defaultTerminalSettings);
    vi.mocked(connectSource).mockClear();
  });
  afterEach(cleanup);

  it('are connected by one click, on the port, under the name and with the settings of before', async () => {
    rememberBoard(gnss);
    places.mockResolvedValue(placed(cp2102));
    render(<RememberedBoards port={1} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect GNSS M10' }));
    expect(connectSource).toHaveBeenCalledWith(2, { kind: 'serial', place: placed(cp2102)[0] }, fast);
    expect(terminalSettingsNow().ports[2]).toMatchObject({ name: 'GNSS M10', settings: fast });
  });

  it('that are allowed but were never connected here are offered by what they are', async () => {
    renamePort(1, '');
    places.mockResolvedValue(placed(pico));
    render(<RememberedBoards port={1} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Pico' }));
    expect(connectSource).toHaveBeenCalledWith(1, expect.anything(), defaultPortSettings);
  });

  it('of one kind keep their ports apart', () => {
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
    'are none in what is damaged: %s',
    (text) => {
      expect(readBoards(text)).toEqual([]);
    },
  );
});
