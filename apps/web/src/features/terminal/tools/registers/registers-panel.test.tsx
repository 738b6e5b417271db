/** Tests the table of registers against the worker's own decoders and trials, on a bench with frames of a port. */
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { VirtualClock } from '@wirebench/clock';
import { readyReader } from '@wirebench/frames/ready-reader';
import { Bench } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { keptDecodersNow, removeKept } from '../../../../workbench/decoders/kept-decoders.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { FrameWorker } from '../../../../worker/bench/frame-worker.ts';
import { TrialWorker } from '../../../../worker/bench/trial-worker.ts';
import { changeDecoder, terminalSettingsNow } from '../../settings/settings-store.ts';
import { NameBytesPanel } from '../name-bytes/name-bytes-panel.tsx';
import { describeFrame, discardWork, workNow } from '../name-bytes/work-store.ts';
import { isAsked, plotNow } from '../plot/plot-store.ts';

let bench: Bench;
let handlers: Record<string, ((...all: unknown[]) => unknown) | undefined>;
fakeBench(async (name, ...args) => handlers[name]?.(...args));

const clock = new VirtualClock(1_000_000);

/** CRC-16/MODBUS, low byte first. */
function framed(digits: string): Uint8Array {
  const bytes = [...Buffer.from(digits.replaceAll(' ', ''), 'hex')];
  let register = 0xffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 1) === 1 ? (register >>> 1) ^ 0xa001 : register >>> 1;
    }
  }
  return Uint8Array.from([...bytes, register & 0xff, register >>> 8]);
}

const answer = framed('15 04 08 21 57 42 35 C8 61 00 02');

beforeEach(async () => {
  bench = new Bench({ clock });
  const frames = new FrameWorker({ bench, clock, onProgress: () => undefined });
  handlers = {
    ...new TrialWorker(bench, async () => undefined).handlers,
    ...frames.handlers,
  } as unknown as typeof handlers;
  const { reader, isText } = await readyReader('modbus');
  bench.setDecoder(1, reader, isText);
  changeDecoder(1, 'modbus');
  bench.record(1, 'received', framed('15 04 00 00 00 04'), 1_000_000);
  bench.record(1, 'received', answer, 1_000_020);
  bench.record(1, 'received', framed('0C 05 00 0B FF 00'), 1_000_200);
  bench.record(1, 'received', framed('0C 05 00 0B FF 00'), 1_000_220);
});

afterEach(async () => {
  await discardWork(1);
  cleanup();
  for (const { id } of keptDecodersNow()) {
    removeKept(id);
  }
  changeDecoder(1, null);
  resetStores();
});

const show = () => render(<NameBytesPanel onShowTime={() => undefined} onFound={() => undefined} />);
const grid = () => screen.findByRole('grid', { name: /^Registers of / });
const line = async (key: string) =>
  within((await grid()).querySelector<HTMLElement>(`[data-row="${key}"]`) as HTMLElement);
const cells = async (key: string) => {
  const row = (await grid()).querySelector(`[data-row="${key}"]`);
  return [...(row?.querySelectorAll('td') ?? [])].map((cell) =>
    cell.querySelector('input, select') === null ? cell.textContent : '',
  );
};

/** Reads register 0 of unit 21 as a float, under a name. */
async function nameIt() {
  show();
  await grid();
  await waitFor(async () => expect(await cells('21 input 0')).toHaveLength(6));
  const name = (await line('21 input 0')).getByRole('textbox', { name: 'Name of register 0' });
  await userEvent.type(name, 'Total power{Enter}');
  await userEvent.selectOptions((await line('21 input 0')).getByRole('combobox'), 'f32');
}

describe('table of registers', () => {
  it('has a row for each register that was seen, by unit and table', async () => {
    show();
    await waitFor(async () => expect((await grid()).querySelectorAll('tr[data-row]')).toHaveLength(7));
    const heads = (await grid()).querySelectorAll('[data-row^="head"]');
    expect([...heads].map(({ textContent }) => textContent)).toEqual([
      'Unit 21Input registersMore about unit 21, input registers',
      'Unit 12CoilsMore about unit 12, coils',
    ]);
    expect(await cells('21 input 2')).toEqual(['2', 'Name it', 'u16', '51\u2009297', '', '']);
    expect(await cells('12 coil 11')).toEqual(['11', 'Name it', 'bit', 'on', '', '']);
    expect(workNow(1)).toBeNull();
  });

  it('names a register in its row, reads it in each order, and the log follows', async () => {
    await nameIt();
    const orders = await screen.findByRole('radiogroup', { name: 'Order of bytes' });
    expect(within(orders).getAllByRole('radio')).toHaveLength(12);
    await userEvent.click(within(orders).getByRole('radio', { name: 'Registers 0 to 1, order CDAB: 45.28256' }));
    expect(workNow(1)?.draft.registers).toMatchObject([
      { name: 'Total_power', title: 'Total power', device: 21, type: 'f32', order: 'cdab', address: 0 },
    ]);
    await waitFor(async () => expect((await cells('21 input 0'))[3]).toBe('45.28256'));
    const newest = () => {
      const { rows } = bench.rows({ layout: 'text', anchor: { position: 1 }, count: 1, channels: ['received-1'] });
      return rows[0] === undefined ? null : bench.frameOf(rows[0])?.frame.sentence;
    };
    await waitFor(() => expect(newest()).toBe('read input 0–3: Total power 45.282558, 51297, 2'));
  });

  it('moves a name to other registers, and says so', async () => {
    await nameIt();
    await userEvent.click(await screen.findByRole('radio', { name: /^Registers 1 to 2, order ABCD/ }));
    expect(screen.getByText('Total power moved to register 1–2')).toBeTruthy();
    expect(await cells('21 input 0')).toEqual(['0', 'Name it', 'u16', '8\u2009535', '', '']);
    expect(screen.getByRole('radio', { name: /^Registers 1 to 2, order ABCD/ }).getAttribute('aria-checked')).toBe(
      'true',
    );
  });

  it('plots a register, whose curve follows its name', async () => {
    show();
    await waitFor(async () => expect(await cells('21 input 2')).toHaveLength(6));
    await userEvent.click((await line('21 input 2')).getByRole('button', { name: 'Plot register 2' }));
    expect(isAsked(plotNow(), { port: 1, name: '21 input.2' })).toBe(true);
    expect(plotNow().isOnly).toBe(true);
    const name = (await line('21 input 2')).getByRole('textbox', { name: 'Name of register 2' });
    await userEvent.type(name, 'Energy{Enter}');
    expect(isAsked(plotNow(), { port: 1, name: '21 Energy' })).toBe(true);
    expect(isAsked(plotNow(), { port: 1, name: '21 input.2' })).toBe(false);
    await userEvent.click((await line('21 input 2')).getByRole('button', { name: 'Plot register 2' }));
    expect(isAsked(plotNow(), { port: 1, name: '21 Energy' })).toBe(false);
  });

  it('saves the names as the decoder of the port', async () => {
    await nameIt();
    await userEvent.click(screen.getByRole('button', { name: 'Save 1 name' }));
    await screen.findByRole('button', { name: 'Saved' });
    const [kept] = keptDecodersNow();
    expect(JSON.parse(kept?.text ?? '')).toMatchObject({
      steps: ['modbus'],
      registers: [{ name: 'Total_power', title: 'Total power', device: 21, table: 'input', address: 0, type: 'f32' }],
    });
    expect(terminalSettingsNow().ports[1].decoder).toBe(kept?.id);
  });

  it('moves with the arrow keys, enters a field with Enter, and gives up what was typed with Escape', async () => {
    show();
    await waitFor(async () => expect((await grid()).querySelectorAll('tr[data-row]')).toHaveLength(7));
    const cell = (key: string, column: string) =>
      document.querySelector<HTMLElement>(`[data-row="${key}"] [data-column="${column}"]`);
    cell('21 input 0', 'name')?.focus();
    await userEvent.keyboard('{ArrowDown}');
    await waitFor(() => expect(document.activeElement).toBe(cell('21 input 1', 'name')));
    await userEvent.keyboard('{Home}');
    await waitFor(() => expect(document.activeElement).toBe(cell('21 input 1', 'register')));
    await userEvent.keyboard('{End}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Plot register 1'));
    await userEvent.keyboard('{Home}');
    await waitFor(() => expect(document.activeElement).toBe(cell('21 input 1', 'register')));
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(document.activeElement).toBe(cell('21 input 1', 'name')));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Name of register 1');
    await userEvent.keyboard('Gone{Escape}');
    expect(workNow(1)).toBeNull();
    expect(document.activeElement).toBe(cell('21 input 1', 'name'));
    // One cell is in the order of focus.
    expect((await grid()).querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('SELECT'));
    fireEvent.keyDown(document.activeElement as Element, { key: 'Enter' });
    expect(await screen.findByRole('radiogroup', { name: 'Order of bytes' })).toBeTruthy();
  });

  it('leads from the bytes of an opened frame to their row', async () => {
    describeFrame({ port: 1, frame: { at: 1_000_020, bytes: answer }, selected: { from: 7, to: 9 } });
    show();
    await waitFor(() =>
      expect(document.activeElement).toBe(document.querySelector('[data-row="21 input 2"] [data-column="name"]')),
    );
  });
});
