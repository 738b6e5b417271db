import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { DeviceForm } from '../i2c/device-form.tsx';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { SpiPanel } from '../wires/spi-panel.tsx';
import { UartPanel } from '../wires/uart-panel.tsx';

beforeEach(() => {
  fakeLab();
  openBench({ uart: { tx: 13, rx: 14, baudRate: 9_600 } });
});
afterEach(() => {
  cleanup();
  resetStores();
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

it('the SPI tab keeps its entry while another tab is shown', () => {
  render(<SpiPanel />);
  type('Bytes, 1 to 64', '90 00 00 00 00');
  cleanup();
  render(<SpiPanel />);
  expect(field('Bytes, 1 to 64').value).toBe('90 00 00 00 00');
});

it('the UART bridge keeps its entry while another tab is shown', () => {
  render(<UartPanel />);
  type('Message to the circuit', 'AT+');
  cleanup();
  render(<UartPanel />);
  expect(field('Message to the circuit').value).toBe('AT+');
});

it('each device keeps its own entry', () => {
  const { rerender } = render(<DeviceForm key="0x76" device={0x76} />);
  type('Register', 'F4');
  type('Bytes to write', '27');
  fireEvent.change(screen.getByRole('combobox', { name: 'Number size' }), { target: { value: '2' } });
  rerender(<DeviceForm key="0x68" device={0x68} />);
  expect([field('Address').value, field('Register').value, field('Bytes to write').value]).toEqual(['0x68', '00', '']);
  rerender(<DeviceForm key="0x76" device={0x76} />);
  expect([field('Address').value, field('Register').value, field('Bytes to write').value]).toEqual([
    '0x76',
    'F4',
    '27',
  ]);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Number size' }).value).toBe('2');
});
