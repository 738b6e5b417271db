/** Tests how findings of a search become rows of a decoder's table of registers. */
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { fileHash, readDecoderFile } from '@wirebench/frames/decoder-file';
import { defaultPortSettings } from '@wirebench/port';
import type { FoundDevice, ModbusSearchReport } from '@wirebench/serial/modbus-search';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { Toaster } from '../../../../shared/ui/toaster.tsx';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { keepFile } from '../../../../workbench/decoders/decoder-files.ts';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import {
  changeKept,
  keepDecoder,
  keptDecodersNow,
  maxKept,
  removeKept,
} from '../../../../workbench/decoders/kept-decoders.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { changeDecoder, terminalSettingsNow } from '../../settings/settings-store.ts';
import { changeTerminalSession } from '../../terminal-session.ts';
import { DecodersPanel } from '../decoders/decoders-panel.tsx';
import { openToolNow, showTool } from '../open-tool.ts';
import { DevicesPanel } from './devices-panel.tsx';

const line = defaultPortSettings;
const device = (unit: number, tables: FoundDevice['tables']): FoundDevice => ({
  unit,
  line,
  exception: null,
  fastest: 4,
  slowest: 9,
  identification: [],
  tables,
  damaged: 0,
  isTwice: false,
  isGone: false,
});
const range = (from: number, to: number) => [{ from, to }];
const pump = device(7, [{ table: 'holding', ranges: range(0, 2) }]);
const valves = device(12, [
  { table: 'input', ranges: range(0, 0) },
  { table: 'coil', ranges: range(4, 5) },
]);

let devices: readonly FoundDevice[] = [];
fakeBench(async (name, ...args) => {
  if (name === 'searchModbus') {
    return {
      end: 'complete',
      failure: '',
      devices,
      damaged: [],
      noisy: [],
      requests: 9,
      traffic: null,
      foreign: 0,
      hasEcho: false,
    } satisfies ModbusSearchReport;
  }
  if (name === 'readDecoderFile') {
    const [file, blob] = args as unknown as [string, Blob];
    return readDecoderFile(file, new Uint8Array(await blob.arrayBuffer()));
  }
  return undefined;
});

/** Shows the result of a search that has found these devices. */
async function search(...found: readonly FoundDevice[]) {
  devices = found;
  render(
    <>
      <DevicesPanel />
      <DecodersPanel />
      <Toaster />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Look for Modbus devices' }));
  await screen.findByText(/answered\. 9 requests sent\.$/);
}
const useAsTable = () => userEvent.click(screen.getByRole('button', { name: 'Use as a register table' }));
const content = () => JSON.parse(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Content' }).value);
const rows = () => within(screen.getByRole('region', { name: 'Table of registers' })).getAllByRole('row').length - 1;
const undo = () => userEvent.click(screen.getByRole('button', { name: 'Undo' }));
const focused = () => document.activeElement?.getAttribute('aria-label');
const decoder = () => terminalSettingsNow().ports[1].decoder;
/** Gives Port 1 a Modbus decoder with these registers. */
function keepTable(registers: readonly object[], more: object = {}): OwnDecoderId {
  const kept = keepDecoder(JSON.stringify({ ...libraryDecoders.modbus, title: 'Pump room', registers, ...more }));
  if (!kept.ok) {
    throw new Error(kept.reason);
  }
  changeDecoder(1, kept.id);
  return kept.id;
}

beforeEach(() => {
  const { tick } = benchStatus;
  const one = { ...tick.status.ports[1], state: 'connected' as const, settings: line };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: one } } });
});
afterEach(() => {
  cleanup();
  for (const { id } of keptDecodersNow()) {
    removeKept(id);
  }
  changeDecoder(1, null);
  showTool(null);
  resetStores();
});

describe('registers that a search has read', () => {
  it('become the table of a copy of the ready decoder, with the first name in focus, and Undo takes all back', async () => {
    changeDecoder(1, 'modbus');
    await search(pump, valves);
    await useAsTable();
    await waitFor(() => expect(focused()).toBe('Name of holding_0 of device 7'));
    expect(openToolNow()).toBe('decoders');
    expect(content()).toMatchObject({
      title: 'Modbus RTU, own names',
      steps: ['modbus'],
      registers: [
        { name: 'holding_0', device: 7, address: 0 },
        { name: 'holding_1', device: 7, address: 1 },
        { name: 'holding_2', device: 7, address: 2 },
        { name: 'input_0', device: 12, table: 'input', address: 0 },
        { name: 'coil_4', device: 12, table: 'coil', address: 4 },
        { name: 'coil_5', device: 12, table: 'coil', address: 5 },
      ],
    });
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Table of coil_4 of device 12' }).value).toBe(
      'coil',
    );
    expect(decoder()).toBe(keptDecodersNow()[0]?.id);
    expect(screen.getByText('6 registers added to Modbus RTU, own names')).toBeTruthy();
    await undo();
    expect(keptDecodersNow()).toEqual([]);
    expect(decoder()).toBe('modbus');
  });

  it('are added to a table without those that it has, for one device or all, and no row of it changes', async () => {
    const own = [
      { name: 'speed', address: 0, unit: 'rpm' },
      { name: 'load', device: 7, address: 1, type: 'f32' },
      { name: 'other', device: 8, address: 3 },
    ];
    const id = keepTable(own);
    await search(device(7, [{ table: 'holding', ranges: range(0, 4) }]));
    await useAsTable();
    expect(await screen.findByText('2 registers added to Pump room')).toBeTruthy();
    const added = [
      { name: 'holding_3', device: 7, address: 3 },
      { name: 'holding_4', device: 7, address: 4 },
    ];
    expect(content().registers).toEqual([...own, ...added]);
    await waitFor(() => expect(focused()).toBe('Name of holding_3 of device 7'));
    expect(decoder()).toBe(id);
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name of holding_4 of device 7' }));
    await undo();
    // A row that was edited since stays.
    expect(content().registers).toEqual([...own, { name: '', device: 7, address: 4 }]);
    expect(decoder()).toBe(id);
  });

  it('are added once: a second press says that the table has them', async () => {
    await search(pump);
    await useAsTable();
    await screen.findByText('3 registers added to Modbus RTU, own names');
    await useAsTable();
    expect(await screen.findByText('The table of Modbus RTU, own names has all 3 registers already')).toBeTruthy();
    expect(rows()).toBe(3);
    expect(keptDecodersNow()).toHaveLength(1);
  });

  it('leave out those of a table in a file, and name a file that the browser does not have', async () => {
    const text = 'name,address\nflow,0\npressure,1\n';
    const file = { use: 'registers', name: 'pump.csv', sha256: fileHash(new TextEncoder().encode(text)) };
    keepTable([], { files: [file] });
    await search(pump);
    await useAsTable();
    expect(
      await screen.findByText(
        'The decoder Pump room needs the file pump.csv, which this browser does not have. Choose it in Decoders first.',
      ),
    ).toBeTruthy();
    await act(() => keepFile(file.sha256, new File([text], 'pump.csv')));
    await useAsTable();
    await screen.findByText('1 register added to Pump room');
    expect(content().registers).toEqual([{ name: 'holding_2', device: 7, address: 2 }]);
  });

  it('leave a decoder with a fault as it is, and say the fault', async () => {
    const id = keepTable([]);
    changeKept(id, { text: '{' });
    await search(pump);
    await useAsTable();
    expect(
      await screen.findByText(/^The table cannot be filled, because the decoder has a fault: .*Correct it in Decoders/),
    ).toBeTruthy();
    expect(keptDecodersNow()).toMatchObject([{ id, text: '{' }]);
  });

  it('take the place of another decoder of the port, until Undo', async () => {
    // One that is being edited, too.
    const motor = keepDecoder('{"name":"motor","title":"Motor","framing":{"kind":"cobs"},"fields":[{}]}');
    changeDecoder(1, motor.ok ? motor.id : null);
    await search(pump);
    await useAsTable();
    await screen.findByText('3 registers added to Modbus RTU, own names');
    expect(decoder()).toBe(keptDecodersNow()[1]?.id);
    await undo();
    expect(decoder()).toBe(motor.ok && motor.id);
    expect(keptDecodersNow()).toHaveLength(1);
  });

  it('fill a table as far as a decoder has room, and say how many are left', async () => {
    await search(
      device(7, [
        { table: 'holding', ranges: range(0, 799) },
        { table: 'input', ranges: range(0, 799) },
      ]),
    );
    await useAsTable();
    expect(
      await screen.findByText(/^1\D?000 registers added to Modbus RTU, own names\. There is no room for 600 more$/),
    ).toBeTruthy();
    expect(content().registers).toHaveLength(1_000);
    expect(rows()).toBe(100);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Registers 101 to 200 of 1000')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Name of holding_100 of device 7' })).toBeTruthy();
  });

  it('leave the end of a long table in sight when they are taken back', async () => {
    keepTable(Array.from({ length: 300 }, (_, address) => ({ name: `r${address}`, address })));
    await search(device(7, [{ table: 'holding', ranges: range(500, 501) }]));
    await useAsTable();
    expect(await screen.findByText('Registers 301 to 302 of 302')).toBeTruthy();
    await undo();
    expect(screen.getByText('Registers 201 to 300 of 300')).toBeTruthy();
  });

  it('say why they cannot be used at the port whose search it was', async () => {
    const { tick } = benchStatus;
    const two = { ...tick.status.ports[2], state: 'connected' as const, settings: line };
    benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 2: two } } });
    await search(pump);
    act(() => changeTerminalSession({ selectedPort: 2 }));
    await userEvent.click(screen.getByRole('button', { name: 'Look for Modbus devices' }));
    await screen.findByText(/answered\. 9 requests sent\.$/);
    act(() => changeTerminalSession({ selectedPort: 1 }));
    const id = keepTable([]);
    changeKept(id, { text: '{' });
    await useAsTable();
    await screen.findByText(/^The table cannot be filled/);
    act(() => changeTerminalSession({ selectedPort: 2 }));
    expect(screen.queryByText(/^The table cannot be filled/)).toBeNull();
  });

  it('say that the browser keeps no more decoders', async () => {
    for (let index = 0; index < maxKept; index++) {
      keepDecoder('{}');
    }
    await search(pump);
    await useAsTable();
    expect(await screen.findByText(/^This browser keeps 20 decoders, the most\./)).toBeTruthy();
    expect(decoder()).toBeNull();
  });

  it('are not offered where no device let one be read', async () => {
    await search(device(3, []));
    expect(screen.getByRole('button', { name: 'Copy as CSV' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Use as a register table' })).toBeNull();
  });
});
