import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LabCapture, ProgramFacts } from '../../../protocol/lab-protocol.ts';
import { changeLab } from '../store/lab-store.ts';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { CapturePanel } from './capture-panel.tsx';
import { captureNow, forgetCaptures } from './capture-store.ts';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const owned = [
  { gpio: 21, owner: 'i2c', label: 'SDA', use: null },
  { gpio: 22, owner: 'i2c', label: 'SCL', use: null },
] as const;
const program: ProgramFacts = { version: 1, processorClock: 40_000_000, longestCapture: 32_768 };

/** Levels of a start, 0x76 W with an acknowledge, and a stop. One level for each sample of 1 µs. */
const levels = (() => {
  const bit = (high: number) => [high << 0, (high << 0) | 2, high << 0];
  const address = [1, 1, 1, 0, 1, 1, 0, 0, 0].flatMap(bit);
  return [3, 3, 2, 0, ...address, 0, 2, 3, 3];
})();
const capture: LabCapture = {
  ...{ pins: [21, 22], samples: levels.length, trigger: 0, samplePeriod: 1_000, at: Date.UTC(2026, 2, 1), bus },
  runs: levels.map((level) => ({ samples: 1, levels: level })),
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
beforeEach(() => {
  // Elements have no size in this environment, and nothing is drawn.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly observe = vi.fn();
      readonly disconnect = vi.fn();
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  forgetCaptures();
  openBench({ program, i2c: bus, owned });
});

async function show() {
  render(<CapturePanel />);
  await screen.findByText('nothing captured');
}

const atOnce = () => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Begin' }), 'At once');
const begin = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Begin' }).selectedOptions[0]?.text;

it('waits for a transfer where the lines of the I2C bus are captured, unless something else was chosen', async () => {
  fakeLab();
  await show();
  expect(begin()).toBe('At an I2C transfer');
  await atOnce();
  expect(begin()).toBe('At once');
  act(forgetCaptures);
  act(() => openBench({ program }, { buses: { i2c: bus, spi: null, uart: null, counter: null } }));
  expect(begin()).toBe('At an I2C transfer');
  await userEvent.click(screen.getByRole('button', { name: 'GPIO 13' }));
  expect(begin()).toBe('At once');
  act(forgetCaptures);
  act(() => openBench({ program }));
  expect(begin()).toBe('At once');
});

it('says that it needs the program, and loads it in one click', async () => {
  openBench();
  const { calls } = fakeLab();
  await show();
  expect(screen.getByText(/flash stays as it is/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Capture' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Load the program into RAM' }));
  expect(calls).toEqual([['loadProgram']]);
});

it('captures the pins of open buses unless others are chosen, and decodes what it knows of them', async () => {
  const { calls } = fakeLab({ capture: () => capture });
  await show();
  await atOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Capture' }));
  const table = await screen.findByRole('table', { name: 'Decoded transfers' });
  expect(within(table).getByText('0x76 W')).toBeDefined();
  expect(calls).toEqual([
    ['capture', { pins: [21, 22], samples: 4_000, before: 0, rate: null, trigger: { kind: 'immediate' } }],
  ]);
  expect(screen.getByText('1 MS/s measured · 35 samples')).toBeDefined();
});

it('asks for a trigger on one of the pins, with samples before it', async () => {
  const { calls } = fakeLab({ capture: () => capture });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Choose pins' }));
  await userEvent.click(screen.getByRole('button', { name: 'GPIO 13' }));
  expect(screen.getByRole('button', { name: 'GPIO 34' })).toHaveProperty('disabled', true);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Begin' }), 'At an edge');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Pin' }), '22');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Edge' }), 'rising');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rate' }), '100 kS/s');
  await userEvent.click(screen.getByRole('button', { name: 'Capture' }));
  expect(calls[0]).toEqual([
    'capture',
    {
      ...{ pins: [13, 21, 22], samples: 4_000, before: 400, rate: 100_000 },
      trigger: { kind: 'edge', pin: 22, high: true },
    },
  ]);
});

it('offers to cancel a capture that waits, and says that the other instruments stand still', async () => {
  openBench({ program, i2c: bus, owned, capturing: 'trigger' });
  const { calls } = fakeLab();
  await show();
  expect(screen.getByText(/Waiting for the trigger/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([['cancelProgram']]);
});

it('captures the next transfer before it makes one', async () => {
  const { calls } = fakeLab({ captureTransfer: () => capture, transfer: () => Uint8Array.of(0x60) });
  await show();
  changeLab({ device: 0x76 });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Begin' }), 'At an I2C transfer');
  const form = screen.getByRole('form', { name: 'Capture a transfer' });
  const write = within(form).getByRole('textbox', { name: 'Write' });
  await userEvent.clear(write);
  await userEvent.type(write, 'D0');
  await userEvent.click(within(form).getByRole('button', { name: 'Capture this transfer' }));
  await screen.findByRole('table', { name: 'Decoded transfers' });
  expect(calls).toEqual([
    ['captureTransfer', [21, 22], { address: 0x76, write: Uint8Array.of(0xd0), read: 1 }],
    ['transfer', 0x76, Uint8Array.of(0xd0), 1],
  ]);
});

it('says that a transfer needs an open bus', async () => {
  openBench({ program });
  fakeLab();
  await show();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Begin' }), 'At an I2C transfer');
  expect(screen.getByText(/Open the I2C bus first/)).toBeDefined();
});

it('moves both cursors by keys, and says what is between them', async () => {
  fakeLab({ capture: () => capture });
  await show();
  await atOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Capture' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Place cursor A' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place cursor B' }));
  const [a, b] = ['Cursor A', 'Cursor B'].map((name) => screen.getByRole('slider', { name })) as [
    HTMLElement,
    HTMLElement,
  ];
  a.focus();
  await userEvent.keyboard('{Home}{PageDown}');
  expect(a.getAttribute('aria-valuetext')).toBe('2\u202fµs');
  b.focus();
  await userEvent.keyboard('{Home}{PageDown}{PageDown}');
  expect(b.getAttribute('aria-valuetext')).toBe('3\u202fµs');
  expect(screen.getByRole('status', { name: 'From cursor A to cursor B' }).textContent).toBe(
    'B − A 1\u202fµs1\u202fMHz',
  );
  await userEvent.keyboard('{Delete}');
  expect(screen.queryByRole('slider', { name: 'Cursor B' })).toBeNull();
});

it('zooms and moves what is shown by keys and buttons', async () => {
  fakeLab({ capture: () => capture });
  await show();
  await atOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Capture' }));
  const shown = await screen.findByRole('slider', { name: 'Time shown' });
  expect(captureNow().span).toEqual({ from: 0, to: 35_000 });
  shown.focus();
  await userEvent.keyboard('+');
  const { from, to } = captureNow().span;
  expect(to - from).toBeCloseTo(35_000 / 1.5, 5);
  await userEvent.keyboard('{Home}');
  expect(captureNow().span.from).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(captureNow().span).toEqual({ from: 0, to: 35_000 });
});

it('decodes other lines in another way when a person says so', async () => {
  fakeLab({ capture: () => capture });
  await show();
  await atOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Capture' }));
  await screen.findByRole('table', { name: 'Decoded transfers' });
  await userEvent.click(screen.getByRole('button', { name: 'Stop decoding I2C' }));
  expect(screen.queryByRole('table', { name: 'Decoded transfers' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Decode UART' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), '9600');
  expect(captureNow().decoders).toEqual([{ kind: 'uart', pin: 21, baudRate: 9_600, parity: 'none', dataBits: 8 }]);
  await waitFor(() => expect(screen.getByText(/Nothing decoded/)).toBeDefined());
});
