/** User actions on the bench of a demo board, for tests of its whole page. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { esp32BenchPage } from '@wirebench/contract';
import { expect } from 'vitest';
import type { BrowserOptions } from '../../../workbench/testing/browser-parts.ts';
import { says } from '../../../workbench/testing/reading.ts';
import { showPage } from '../../../workbench/testing/whole-page.tsx';

/** A window wide enough to show all parts of the bench side by side. */
export const wide: BrowserOptions = { media: (query) => query === '(min-width: 1181px)' };

const region = (name: string) => screen.getByRole('region', { name });

export const busLog = () => screen.getByRole('log', { name: 'Bus log' });
export const i2c = () => region('I2C');
export const device = () => region('Device');
export const capture = () => region('Logic capture');
export const counter = () => region('Counter');
export const strip = () => region('Selected pin');
export const found = () => screen.getByRole('list', { name: 'Found devices' });
export const decoded = () => within(capture()).getByRole('table', { name: 'Decoded transfers' });

/** Presses a button as soon as it is enabled. */
export async function press(name: string | RegExp, of: () => HTMLElement = () => document.body): Promise<void> {
  const button = await waitFor(() => {
    const one = within(of()).getByRole<HTMLButtonElement>('button', { name });
    expect(one.disabled || one.getAttribute('aria-disabled') === 'true').toBe(false);
    return one;
  });
  await userEvent.click(button);
}

export const showTab = (name: string) => userEvent.click(screen.getByRole('tab', { name }));

export const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

export const onBench = () => screen.findByRole('button', { name: 'Leave' });

/** @param search Query of the address, with its question mark. */
export async function openBench(search = ''): Promise<void> {
  await showPage(`${esp32BenchPage}${search}`, async () => (await import('../lab-page.tsx')).LabPage);
}

/** Opens the bench with the simulated ESP32 connected. */
export async function openDemoBench(): Promise<void> {
  await openBench('?demo');
  await onBench();
}

/** Opens the bench and connects a simulated board by its name. */
export async function chooseDemo(name: string): Promise<void> {
  await openBench();
  await press('Other ways to connect a board');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
  await onBench();
}

/** Scans the bus of the demo board, and waits until its devices are recognised. */
export async function scan(): Promise<void> {
  await press('Scan', i2c);
  await says(found, 'Identified by register 0xD0 = 0x60');
}

export const readRegisters = () => press('Read', () => within(i2c()).getByRole('form', { name: 'Read registers' }));

export async function loadProgram(): Promise<void> {
  await press('Load RAM program');
  await screen.findByRole('button', { name: 'Back to ROM' });
}

/** Captures the lines of the bus while the identification register of the BME280 is read. */
export async function captureTransfer(): Promise<void> {
  await userEvent.selectOptions(await within(capture()).findByLabelText('Begin'), 'At an I2C transfer');
  const form = within(await within(capture()).findByRole('form', { name: 'Capture a transfer' }));
  fill(form.getByRole('textbox', { name: 'Address' }), '0x76');
  fill(form.getByRole('textbox', { name: 'Write' }), 'D0');
  await press('Capture this transfer', capture);
  await says(decoded, /0x76 W D0 .*R 60/);
}

/** Finds the bus among all free pins, opens it and scans it, and waits until a BME280 is recognised. */
export async function findBus(pins: string): Promise<void> {
  await press('Find my I2C', i2c);
  const status = await waitFor(() => {
    const [one] = within(i2c())
      .getAllByRole('status')
      .filter(({ textContent }) => textContent.includes(pins));
    if (one === undefined) {
      throw new Error(`No bus is found on ${pins}.`);
    }
    return one;
  });
  await says(() => status, '0x76');
  await press('Use these pins', () => status);
  await says(found, 'Identified by register 0xD0 = 0x60');
}

export async function initialise(): Promise<void> {
  await press('Initialise…', device);
  await press('Initialise', () => screen.getByRole('dialog'));
  await says(device, 'initialised at');
}
