import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { labBreadboard } from '@wirebench/devices';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetDevices } from '../devices/device-store.ts';
import { identifyAll } from '../devices/identify.ts';
import { labNow } from '../store/lab-store.ts';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { partBus } from '../testing/part-bus.ts';
import { I2cPanel } from './i2c-panel.tsx';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const found = [0x3c, 0x68, 0x76];
const { bme280, mpu6050, ssd1306 } = labBreadboard('esp32');
const { transferAll } = partBus([bme280, mpu6050, ssd1306]);
const scanned = { i2c: bus, scan: { running: false, asked: 112 }, found };

afterEach(() => {
  cleanup();
  forgetDevices();
});
beforeEach(() => openBench());

it('opens the bus on the usual pins, scans, and selects what is known best', async () => {
  const { calls } = fakeLab({ scan: () => found, transferAll });
  render(<I2cPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Scan' }));
  await waitFor(() => expect(labNow().device).toBe(0x76));
  expect(calls.slice(0, 2)).toEqual([['openI2c', bus], ['scan']]);
});

it('does not open a bus again that is open on these pins', async () => {
  const { calls } = fakeLab({ scan: () => [] });
  openBench({ i2c: bus });
  render(<I2cPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Scan' }));
  await waitFor(() => expect(calls).toEqual([['scan']]));
});

it('shows the three levels of certainty in words, and puts a question mark behind a guess', async () => {
  fakeLab({ transferAll });
  openBench(scanned);
  await identifyAll(found);
  render(<I2cPanel />);
  const rows = within(screen.getByRole('list', { name: 'Found devices' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '0x3CSSD1306?By address onlyChoose JKit',
    '0x68MPU-6050Likely: register 0x75 & 0x7E = 0x68 (other chips give the same answer)Open JKit',
    '0x76BME280Identified by register 0xD0 = 0x60ReadOpen JKit',
  ]);
});

it('shows how far a scan is: what was not asked is empty, also when it got no further', () => {
  openBench({ i2c: bus, scan: { running: false, asked: 8 }, halted: { sda: false, scl: true, recovered: false } });
  render(<I2cPanel />);
  const cells = within(screen.getByRole('table', { name: 'Addresses on the bus' })).getAllByText('--');
  expect(cells).toHaveLength(8);
  expect(screen.getByRole('alert').textContent).toContain('SDA is low.');
  expect(screen.queryByText(/No address answers/)).toBeNull();
});

it('recovers a bus whose line is low and scans again, and says when that did not help', async () => {
  let free = false;
  const { calls } = fakeLab({ recover: () => free, scan: () => found, transferAll });
  openBench({ i2c: bus, halted: { sda: true, scl: false, recovered: false } });
  render(<I2cPanel />);
  expect(screen.getByRole('alert').textContent).toContain('SCL is low.');
  await userEvent.click(screen.getByRole('button', { name: 'Recover' }));
  act(() => openBench({ i2c: bus, halted: { sda: true, scl: false, recovered: true } }));
  expect(screen.getByRole('alert').textContent).toContain('Nine clocks and a stop did not change that.');
  free = true;
  await userEvent.click(screen.getByRole('button', { name: 'Recover' }));
  await waitFor(() => expect(calls.slice(0, 3)).toEqual([['recover'], ['recover'], ['scan']]));
});

it('claims no low line of a controller that got no further while both were high', () => {
  openBench({ i2c: bus, halted: { sda: true, scl: true, recovered: false } });
  render(<I2cPanel />);
  const alert = screen.getByRole('alert').textContent;
  expect(alert).toContain('The controller got no further.');
  expect(alert).not.toContain('low.');
});

it('reads a register of the selected device', async () => {
  const { calls } = fakeLab({ transfer: () => Uint8Array.of(0x60) });
  openBench(scanned, { device: 0x76 });
  render(<I2cPanel />);
  const register = screen.getByRole('textbox', { name: 'Register' });
  await userEvent.clear(register);
  await userEvent.type(register, 'd0');
  await userEvent.click(screen.getByRole('button', { name: 'Read' }));
  expect((await screen.findByText('0x76 register 0xD0:')).parentElement?.textContent).toBe(
    '0x76 register 0xD0: 60 (96)',
  );
  expect(calls).toEqual([['transfer', 0x76, Uint8Array.of(0xd0), 1]]);
});

it('takes no register, address or number of bytes that a transfer cannot have', async () => {
  fakeLab();
  openBench(scanned, { device: 0x76 });
  render(<I2cPanel />);
  const read = screen.getByRole<HTMLButtonElement>('button', { name: 'Read' });
  expect(read.disabled).toBe(false);
  const bytes = screen.getByRole('textbox', { name: 'Bytes' });
  for (const wrong of ['0', '32', '-1', '1.5', 'x']) {
    await userEvent.clear(bytes);
    await userEvent.type(bytes, wrong);
    expect(read.disabled).toBe(true);
  }
});

it('offers the pins on which something was found, and says when nothing was', async () => {
  const { calls } = fakeLab({ scan: () => [] });
  render(<I2cPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Find my I2C' }));
  act(() => openBench({ pairs: [{ sda: 13, scl: 14, addresses: [0x76] }] }));
  await userEvent.click(screen.getByRole('button', { name: 'Use these pins' }));
  await waitFor(() => expect(calls).toContainEqual(['openI2c', { sda: 13, scl: 14, clock: 100_000 }]));
  act(() => openBench({ pairs: [] }));
  expect(screen.getByText(/Nothing answers on any pair/)).toBeDefined();
});

it('takes the pins that were found only when the search has left the bus', () => {
  fakeLab();
  const pairs = [{ sda: 13, scl: 14, addresses: [0x76] }];
  openBench({ pairs, i2cWork: 'searching' });
  render(<I2cPanel />);
  const use = screen.getByRole<HTMLButtonElement>('button', { name: 'Use these pins' });
  expect(use.disabled).toBe(true);
  act(() => openBench({ pairs, i2cWork: null }));
  expect(use.disabled).toBe(false);
});

it('a panel that was left during a search still cancels it, and knows the pins that were chosen', async () => {
  const { calls } = fakeLab();
  openBench({ i2cWork: 'searching' });
  const { unmount } = render(<I2cPanel />);
  unmount();
  render(<I2cPanel />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Scan' }).disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([['cancel']]);
  act(() => openBench());
  await userEvent.selectOptions(screen.getByLabelText('SDA'), '13');
  cleanup();
  render(<I2cPanel />);
  expect(screen.getByLabelText<HTMLSelectElement>('SDA').value).toBe('13');
});

it('says what a form takes when something else was pasted, and sends nothing', async () => {
  const { calls } = fakeLab();
  openBench(scanned, { device: 0x76 });
  render(<I2cPanel />);
  const address = screen.getByRole('textbox', { name: 'Address' });
  await userEvent.clear(address);
  await userEvent.click(address);
  await userEvent.paste('my sensor <b>0x76</b>');
  const fault = screen.getByText('An address is 00 to 7F, in hexadecimal.');
  expect(address.getAttribute('aria-describedby')).toBe(fault.parentElement?.id);
  await userEvent.clear(screen.getByRole('textbox', { name: 'Bytes' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Bytes' }), '32{Enter}');
  expect(screen.getByText('1 to 31 bytes are read at once.')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Bytes to write' }), 'zz');
  expect(screen.getByText(/^Bytes are pairs of hexadecimal digits/)).toBeDefined();
  expect(calls).toEqual([]);
});
