import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { rpUsbFilters } from '@wirebench/flasher/rp';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FlashSource } from '../../../../../protocol/usb-source.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { rpPage } from '../rp-page.ts';
import { RpAwaited } from './awaited.tsx';

const requestDevice = vi.fn(async () => Promise.reject(new DOMException('No device selected.', 'NotFoundError')));

beforeEach(() => {
  Object.defineProperty(navigator, 'usb', { value: { requestDevice }, configurable: true });
  startFlasher(rpPage);
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(navigator, 'usb');
});

function connecting(source: FlashSource, step: string): void {
  render(<RpAwaited />);
  act(() => {
    dispatch(1, { type: 'connect', source });
    dispatch(1, { type: 'step', step });
  });
}

const real = { kind: 'serial', place: { index: 0, count: 1, info: {} } } as const;

it('draws the button when a person is awaited, and lets the person allow the USB device by its ids or its class', async () => {
  connecting(real, 'press-bootsel');
  expect(screen.getByRole('status').textContent).toContain('Hold BOOTSEL while you plug the board in');
  expect(screen.getByRole('img', { name: /BOOTSEL button is held down/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Allow its USB device' }));
  expect(requestDevice).toHaveBeenCalledWith({ filters: rpUsbFilters });
  expect(rpUsbFilters).toContainEqual({ classCode: 0xff, subclassCode: 0, protocolCode: 0 });
});

it('shows nothing while the program is asked, and offers a demo board no device to allow', () => {
  connecting(real, 'resetting');
  expect(screen.queryByRole('status')).toBeNull();
  cleanup();
  startFlasher(rpPage);
  connecting({ kind: 'demo', model: 'pico' }, 'press-bootsel');
  expect(screen.getByRole('status')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
