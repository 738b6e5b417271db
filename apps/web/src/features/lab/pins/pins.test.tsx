import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeLab, labNow, showLevels } from '../store/lab-store.ts';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { boards, neighbour } from './boards.ts';
import { PinsPanel } from './pins-panel.tsx';

afterEach(cleanup);
beforeEach(() => openBench());

const pinNamed = (name: RegExp) => screen.getByRole('radio', { name });

describe('the board', () => {
  it('shows the level of a pin as it changes', () => {
    render(<PinsPanel />);
    expect(pinNamed(/^GPIO 21, free, high$/)).toBeDefined();
    act(() => showLevels([0, 0]));
    expect(pinNamed(/^GPIO 21, free, low$/)).toBeDefined();
  });

  it('says nothing of levels that were not read', () => {
    showLevels(null);
    render(<PinsPanel />);
    expect(pinNamed(/^GPIO 21, free$/)).toBeDefined();
  });

  it('says nothing of a level whose input is off: it would be low whatever is at the pin', () => {
    openBench({ looks: [{ gpio: 21, direction: 'off', pull: 'none' }] }, { selected: 21 });
    showLevels([0, 0]);
    render(<PinsPanel />);
    expect(pinNamed(/^GPIO 21, free, input off$/)).toBeDefined();
    expect(screen.getByRole('region', { name: 'Selected pin' }).textContent).not.toContain('low');
  });

  it('is one stop of the Tab key, and arrow keys walk along a side and across', () => {
    changeLab({ selected: 21 });
    render(<PinsPanel />);
    expect(screen.getAllByRole('radio').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    fireEvent.keyDown(pinNamed(/^GPIO 21/), { key: 'ArrowUp' });
    // TX and RX are missing on the test's chip, so they are skipped.
    expect(labNow().selected).toBe(3);
    expect(neighbour(boards.esp32, 21, 'ArrowLeft')).toBe(35);
    expect(neighbour(boards.esp32, 35, 'ArrowRight')).toBe(21);
    expect(neighbour(boards.esp32, 36, 'ArrowUp')).toBeUndefined();
  });

  it('has every GPIO of a board once', () => {
    for (const { left, right } of Object.values(boards)) {
      const pins = [...left, ...right].flatMap(({ gpio }) => gpio ?? []);
      expect(new Set(pins).size).toBe(pins.length);
      expect(left.length).toBe(right.length);
    }
  });
});

describe('the strip of a pin', () => {
  it('says of a locked pin why, and which to use instead, and offers nothing', () => {
    changeLab({ selected: 6 });
    render(<PinsPanel />);
    const strip = screen.getByRole('region', { name: 'Selected pin' });
    expect(strip.textContent).toContain('GPIO 6 is connected to the flash chip.');
    expect(strip.textContent).toContain('Use 13, 14 or 21 instead.');
    expect(within(strip).queryByRole('button')).toBeNull();
  });

  it('makes an output of a pin, low until it is said otherwise', async () => {
    const { calls } = fakeLab();
    changeLab({ selected: 13 });
    render(<PinsPanel />);
    await userEvent.click(screen.getByRole('button', { name: 'Output' }));
    expect(calls).toEqual([['setPin', 13, { kind: 'output', high: false, openDrain: false, pull: 'none' }]]);
  });

  it('offers an input-only pin no output, and sampling where the pin has an ADC', () => {
    changeLab({ selected: 34 });
    render(<PinsPanel />);
    expect(screen.queryByRole('button', { name: 'Output' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Analog' })).toBeDefined();
  });

  it('leaves a pin of a bus to the bus', () => {
    openBench({ owned: [{ gpio: 21, owner: 'i2c', label: 'SDA', use: null }] }, { selected: 21 });
    render(<PinsPanel />);
    expect(screen.getByRole('region', { name: 'Selected pin' }).textContent).toContain('I2C uses this pin as SDA.');
    expect(screen.queryByRole('button', { name: 'Input' })).toBeNull();
    expect(pinNamed(/^GPIO 21, SDA of I2C/)).toBeDefined();
  });

  it('sends a duty cycle only when it is one', async () => {
    const { calls } = fakeLab();
    const use = { kind: 'pwm', frequency: 1_000, duty: 0.5 } as const;
    openBench({ owned: [{ gpio: 13, owner: 'pwm', label: 'PWM', use }] }, { selected: 13 });
    render(<PinsPanel />);
    const duty = screen.getByLabelText('Duty %');
    await userEvent.clear(duty);
    await userEvent.type(duty, '140');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set' }).disabled).toBe(true);
    expect(screen.getByText('The duty cycle is 0 to 100 %.')).toBeDefined();
    expect(duty.getAttribute('aria-describedby')).toBe(
      screen.getByText('The duty cycle is 0 to 100 %.').parentElement?.id,
    );
    await userEvent.clear(duty);
    await userEvent.type(duty, '12.5');
    await userEvent.click(screen.getByRole('button', { name: 'Set' }));
    await waitFor(() => expect(calls).toEqual([['setPin', 13, { ...use, duty: 0.125 }]]));
  });

  it('shows the frequency and duty cycle that the pin has, and keeps the focus when they were set there', async () => {
    fakeLab();
    const use = { kind: 'pwm', frequency: 1_000, duty: 0.5 } as const;
    const has = (duty: number) =>
      openBench({ owned: [{ gpio: 13, owner: 'pwm', label: 'PWM', use: { ...use, duty } }] }, { selected: 13 });
    has(0.5);
    render(<PinsPanel />);
    const duty = screen.getByLabelText<HTMLInputElement>('Duty %');
    await userEvent.clear(duty);
    await userEvent.type(duty, '25{Enter}');
    act(() => has(0.25));
    expect(document.activeElement).toBe(duty);
    act(() => has(0.5));
    expect(duty.value).toBe('50');
  });
});
