import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { CounterTick } from '../../../protocol/lab-protocol.ts';
import { labNow } from '../store/lab-store.ts';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { CounterPanel } from './counter-panel.tsx';

afterEach(cleanup);

const counting: CounterTick = { pin: 13, edges: 'rising', count: 0, isPartial: false, period: null, isTimed: false };
const steady = { mean: 1_000_000, resolution: 1.7, shortest: 999_975, longest: 1_000_025, tick: 25 };
const panel = () => screen.getByRole('region', { name: 'Counter' });

it('counts an unused pin, and offers no locked one', async () => {
  openBench();
  const { calls } = fakeLab();
  render(<CounterPanel />);
  const pins = screen.getByLabelText<HTMLSelectElement>('GPIO');
  expect([...pins.options].map(({ value }) => value)).not.toContain('6');
  expect([...pins.options].map(({ value }) => value)).toContain('34');
  await userEvent.selectOptions(pins, '14');
  await userEvent.click(screen.getByRole('radio', { name: 'Both' }));
  await userEvent.click(screen.getByRole('button', { name: 'Count' }));
  expect(calls).toEqual([['openCounter', { pin: 14, edges: 'both' }]]);
});

it('shows count, frequency and period with what is uncertain of them', () => {
  openBench({ counter: { ...counting, count: 123_456, period: steady, isTimed: true } });
  render(<CounterPanel />);
  expect(panel().textContent).toContain('123\u2009456 rising edges');
  expect(panel().textContent).toContain('1.000000 kHz ± 0.000002');
  expect(panel().textContent).toContain('1.000000 ms ± 0.000002');
  expect(panel().textContent).not.toContain('Periods differ');
});

it('says that periods differ, from which to which', () => {
  const period = { ...steady, shortest: 400_000, longest: 2_100_000 };
  openBench({ counter: { ...counting, count: 9, period, isTimed: true } });
  render(<CounterPanel />);
  expect(panel().textContent).toContain('Periods differ, from 400 µs to 2.1 ms');
});

it('distinguishes a period that is not measured yet from a signal that has none', () => {
  openBench({ counter: counting });
  render(<CounterPanel />);
  expect(panel().textContent).toContain('Measuring the period');
  openBench({ counter: { ...counting, isTimed: true } });
  return waitFor(() => expect(panel().textContent).toContain('No period: fewer than two rising edges'));
});

it('says that a count is too small when edges came too fast for the counter', () => {
  openBench({ counter: { ...counting, count: 40_000, isPartial: true, period: steady, isTimed: true } });
  render(<CounterPanel />);
  expect(screen.getByRole('status').textContent).toContain('there were more than these');
  expect(panel().textContent).toContain('At least');
});

it('counts other edges or another pin at once while it is open, and starts again or ends', async () => {
  openBench({ counter: counting });
  const { calls } = fakeLab();
  render(<CounterPanel />);
  await userEvent.click(screen.getByRole('radio', { name: 'Falling' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(calls).toEqual([['openCounter', { pin: 13, edges: 'falling' }], ['resetCounter'], ['closeCounter']]);
});

it('says of a pin of another instrument that it is only listened to', () => {
  const use = { kind: 'pwm', frequency: 1_000, duty: 0.5 } as const;
  openBench({ counter: counting, owned: [{ gpio: 13, owner: 'pwm', label: 'PWM', use }] });
  render(<CounterPanel />);
  expect(panel().textContent).toContain('The pin stays as it is set: PWM.');
});

it('says of a chip without a counter what to use instead', () => {
  openBench({}, { board: { ...testBoard, chip: 'esp32c3', countsEdges: false } });
  render(<CounterPanel />);
  expect(panel().textContent).toContain('The ESP32-C3 has no pulse counter.');
  expect(screen.queryByRole('button', { name: 'Count' })).toBeNull();
  expect(labNow().buses.counter).toBeNull();
});
