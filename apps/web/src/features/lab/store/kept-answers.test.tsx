/**
 * Tests that instruments keep typed text, flipped bits and answers when a change of layout removes and renders them
 * again.
 */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { forgetDevices } from '../devices/device-store.ts';
import { DeviceForm } from '../i2c/device-form.tsx';
import { PinsPanel } from '../pins/pins-panel.tsx';
import { RegistersPanel } from '../registers/registers-panel.tsx';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { SpiPanel } from '../wires/spi-panel.tsx';
import { UartPanel } from '../wires/uart-panel.tsx';
import { changeLab } from './lab-store.ts';

beforeEach(() => {
  changeLab({ board: null });
  openBench({ uart: { tx: 13, rx: 14, baudRate: 9_600 } }, { board: { ...testBoard } });
});
afterEach(() => {
  cleanup();
  resetStores();
  forgetDevices();
});

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

/** Removes a tool and renders it again, as a change of layout does. */
function again(tool: ReactNode): void {
  cleanup();
  render(tool);
}

describe('SPI', () => {
  it('keeps the answer while another tab is shown', async () => {
    fakeLab({ exchange: () => Uint8Array.of(0, 0xef, 0x40, 0x18) });
    render(<SpiPanel />);
    await press('Exchange');
    await screen.findByText('00 EF 40 18');
    again(<SpiPanel />);
    expect(screen.getByText('00 EF 40 18')).toBeDefined();
  });

  it('shows an answer that arrived off the screen', async () => {
    let answer: (bytes: Uint8Array) => void = () => undefined;
    // The host answers later, which the type of the fake does not provide for.
    const later = new Promise<Uint8Array>((resolve) => {
      answer = resolve;
    });
    fakeLab({ exchange: (() => later) as never });
    render(<SpiPanel />);
    await press('Exchange');
    cleanup();
    await waitFor(() => answer(Uint8Array.of(0xc2)));
    render(<SpiPanel />);
    expect(await screen.findByText('C2')).toBeDefined();
  });

  it('shows no answer of the previous board', async () => {
    fakeLab({ exchange: () => Uint8Array.of(0xef) });
    render(<SpiPanel />);
    await press('Exchange');
    await screen.findByText('EF');
    openBench({}, { board: { ...testBoard, mac: 'another' } });
    await waitFor(() => expect(screen.queryByText('EF')).toBeNull());
  });
});

describe('I2C', () => {
  it('shows the value of a register', async () => {
    fakeLab({ transfer: () => Uint8Array.of(0x60) });
    render(<DeviceForm device={0x76} />);
    await press('Read');
    await screen.findByText('0x76 register 0x00:');
    again(<DeviceForm device={0x76} />);
    expect(screen.getByText('0x76 register 0x00:').parentElement?.textContent).toContain('60 (96)');
  });

  it('shows written bytes at their device only', async () => {
    fakeLab({ transfer: () => new Uint8Array() });
    render(<DeviceForm device={0x76} />);
    fireEvent.change(field('Bytes to write'), { target: { value: '27' } });
    await press('Write');
    await screen.findByText('0x76 took 27 for register 0x00.');
    again(<DeviceForm device={0x76} />);
    expect(screen.getByText('0x76 took 27 for register 0x00.')).toBeDefined();
    again(<DeviceForm device={0x68} />);
    expect(screen.queryByText(/took/)).toBeNull();
  });
});

it('the UART bridge keeps its line ending', async () => {
  fakeLab();
  render(<UartPanel />);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Line ending' }), 'LF');
  again(<UartPanel />);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Line ending' }).value).toBe('lf');
});

it('a PWM output keeps entered numbers until it is set to others', () => {
  fakeLab();
  const use = { kind: 'pwm', frequency: 1_000, duty: 0.5 } as const;
  const has = (frequency: number) =>
    openBench({ owned: [{ gpio: 13, owner: 'pwm', label: 'PWM', use: { ...use, frequency } }] }, { selected: 13 });
  has(1_000);
  render(<PinsPanel />);
  fireEvent.change(field('Hz'), { target: { value: '440' } });
  fireEvent.change(field('Duty %'), { target: { value: '12.5' } });
  again(<PinsPanel />);
  expect([field('Hz').value, field('Duty %').value]).toEqual(['440', '12.5']);
  cleanup();
  has(2_000);
  render(<PinsPanel />);
  expect([field('Hz').value, field('Duty %').value]).toEqual(['2000', '50']);
});

it('a pin that becomes a PWM output again shows its values and no earlier entry', async () => {
  fakeLab();
  const use = { kind: 'pwm', frequency: 1_000, duty: 0.5 } as const;
  const drives = (isPwm: boolean) =>
    openBench({ owned: isPwm ? [{ gpio: 13, owner: 'pwm', label: 'PWM', use }] : [] }, { selected: 13 });
  drives(true);
  render(<PinsPanel />);
  fireEvent.change(field('Hz'), { target: { value: '440' } });
  act(() => drives(false));
  await press('PWM');
  act(() => drives(true));
  expect(field('Hz').value).toBe('1000');
});

describe('a register', () => {
  const flipped = () => screen.getByText(/will change/).textContent;

  it('keeps bits that were flipped and not written yet, and stays the selected one', async () => {
    fakeLab({ readWords: () => [1] });
    render(<RegistersPanel />);
    await userEvent.click(screen.getByRole('treeitem', { name: /W1TS/ }));
    await press('Bit 4');
    await press('Bit 7');
    again(<RegistersPanel />);
    expect(screen.getByRole('group', { name: 'Bits of GPIO_OUT_W1TS' })).toBeDefined();
    expect(flipped()).toContain('2 bits will change.');
  });

  it('keeps them while another register is looked at', async () => {
    fakeLab({ readWords: () => [1] });
    render(<RegistersPanel />);
    await press('Read');
    await press('Bit 1');
    await userEvent.click(screen.getByRole('treeitem', { name: /W1TS/ }));
    expect(screen.queryByText(/will change/)).toBeNull();
    await userEvent.click(screen.getByRole('treeitem', { name: /^GPIO_OUT(?!_)/ }));
    expect(flipped()).toContain('1 bit will change.');
  });

  it('forgets them with the board', async () => {
    fakeLab();
    render(<RegistersPanel />);
    await userEvent.click(screen.getByRole('treeitem', { name: /W1TS/ }));
    await press('Bit 4');
    openBench({}, { board: { ...testBoard, mac: 'another' } });
    await waitFor(() => expect(screen.queryByText(/will change/)).toBeNull());
  });
});
