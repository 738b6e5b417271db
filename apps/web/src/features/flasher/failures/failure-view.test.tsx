import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CommonFailure } from '@wirebench/flasher/core';
import { stmUsbFilter } from '@wirebench/flasher/stm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Holder } from '../../../hardware/tab-ports.ts';
import { fakeTabPorts } from '../../../hardware/testing/fake-tab-ports.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { commonFailure } from '../state/failure-from.ts';
import { dispatch, startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../testing/families.ts';
import { FailureView } from './failure-view.tsx';

const call = fakeFlasher();
silentBench();
const tabPorts = fakeTabPorts();

/** Calls of the page to the worker side of the family. */
const calls = () => call.mock.calls.map(([name]) => name);

const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const serial: FlashSource = { kind: 'serial', place: { index: 0, count: 1, info } };
const usb: FlashSource = { kind: 'demo-usb', model: 'stm32f407' };
const holder: Holder = { port: 2, name: 'Gateway', info, tab: 'other' };

/** Stubs a browser with Web Serial and WebUSB on a system with this name. */
function browserOn(system: string): void {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${system}) Chrome/156`, serial: {}, usb: {} });
}

function fail(code: CommonFailure, source: FlashSource = serial): void {
  act(() => {
    dispatch(1, { type: 'connect', source });
    dispatch(1, { type: 'failed', failure: commonFailure(code) });
  });
}

async function shown(code: CommonFailure, source?: FlashSource): Promise<string> {
  render(<FailureView remedies={{}} />);
  fail(code, source);
  await act(async () => undefined);
  return screen.getByRole('alert').textContent ?? '';
}

describe('remedies that every family needs', () => {
  beforeEach(() => {
    browserOn('X11; Linux x86_64');
    tabPorts.hold([]);
    tabPorts.askToRelease.mockReset();
    call.mockReset();
    startFlasher({ ...testFamily, usbDevices: [stmUsbFilter] });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each([
    ['X11; Linux x86_64', 'sudo usermod -aG dialout $USER'],
    ['Macintosh; Intel Mac OS X 10_15_7', 'System Settings'],
    ['Windows NT 10.0; Win64; x64', 'Device Manager'],
  ])('a port that does not open: on %s the system may be the reason', async (system, word) => {
    browserOn(system);
    const text = await shown('port-busy');
    expect(text).toContain(word);
    for (const program of ['Arduino IDE', 'PlatformIO', 'idf.py monitor', 'PuTTY', 'screen', 'ModemManager']) {
      expect(text).toContain(program);
    }
  });

  it('a port that does not open, before the other tabs have answered: does not say that none holds it', async () => {
    tabPorts.hold(null);
    const text = await shown('port-busy');
    expect(text).toContain('Asking the other Wirebench tabs…');
    expect(text).not.toContain('No other Wirebench tab');
  });

  it('a board in another tab: that tab is asked for it, and the board is opened here', async () => {
    tabPorts.hold([holder]);
    tabPorts.askToRelease.mockResolvedValue('released');
    expect(await shown('port-busy')).toContain('Another Wirebench tab has a board like this one open, as Gateway');
    await userEvent.click(screen.getByRole('button', { name: 'Ask the other tab to release it' }));
    expect(tabPorts.askToRelease).toHaveBeenCalledWith(holder);
    expect(calls()).toEqual(['connect']);
  });

  it('a board that a guest of the shared bench uses names the guest, and is tried again when it is free', async () => {
    const used = (user: string | null) => {
      const { tick } = benchStatus;
      act(() => benchStatus.accept({ ...tick, users: { ...tick.users, 1: user } }));
    };
    used('Aylin K.');
    expect(await shown('port-busy')).toContain('Aylin K. uses this board');
    expect(screen.getByRole('button', { name: 'Take back port 1 from Aylin K.' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    used(null);
    used('Priya S.');
    expect(screen.getByRole('alert', { name: 'Priya S. uses this board' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Take back port 1 from Priya S.' })).toBeTruthy();
    used('Aylin K.');
    used(null);
    expect(screen.getByRole('status').textContent).toBe('Aylin K. does not use it any more. Try again.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(calls()).toEqual(['connect']);
  });

  it('a board that another tab keeps stays there', async () => {
    tabPorts.hold([holder]);
    tabPorts.askToRelease.mockResolvedValue('kept');
    await shown('port-busy');
    await userEvent.click(screen.getByRole('button', { name: 'Ask the other tab to release it' }));
    expect(screen.getByRole('status').textContent).toBe('The other tab keeps it. Disconnect it there, then try again.');
    expect(calls()).toEqual([]);
  });

  it.each([
    ['a serial port', serial, 'Set Serial ports to Ask', 'Choose another port'],
    ['a USB device', usb, 'Set USB devices to Ask', 'Choose another device'],
  ])('a browser that refuses %s: the permission of just that', async (_what, source, step, button) => {
    expect(await shown('permission-denied', source)).toContain(step);
    expect(screen.getByRole('button', { name: button })).toBeTruthy();
  });

  it('a browser that shows no dialog for USB devices names these, whatever was connected before', () => {
    render(<FailureView remedies={{}} />);
    fail('unplugged', serial);
    act(() => dispatch(1, { type: 'refused', usb: true, failure: commonFailure('permission-denied') }));
    expect(screen.getByRole('alert', { name: 'This browser does not let the page open USB devices' })).toBeTruthy();
  });

  it('a USB device that vanished is picked again as one, also after a second try', async () => {
    await shown('unplugged', usb);
    fail('port-gone', { kind: 'same' });
    expect(screen.getByRole('alert').textContent).toContain('choose another device');
    expect(screen.getByRole('button', { name: 'Choose another device' })).toBeTruthy();
  });

  it('a shared board that is gone is not called unplugged: that is not seen from here', async () => {
    const text = await shown('unplugged', { kind: 'remote', port: 2 });
    expect(text).toContain('The shared board is not there any more');
    expect(text).toContain('Ask whoever shares it');
    expect(text).not.toContain('Plug the board in again');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it.each([
    [921_600, 'Try again at 115200 baud'],
    [null, null],
  ])('a write that fails at %s baud: a lower rate only where a rate means something', (baudRate, button) => {
    render(<FailureView remedies={{}} />);
    act(() => {
      dispatch(1, { type: 'connect', source: serial });
      dispatch(1, { type: 'connected', board: { ...testBoard(), baudRate } as ReturnType<typeof testBoard> });
    });
    fail('write-failed', { kind: 'same' });
    const offers = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(offers.filter((text) => text?.includes(' baud'))).toEqual(button === null ? [] : [button]);
  });

  it.each([
    ['unchanged', 'Nothing on the board was changed.'],
    ['erased', 'Some or all of its flash may be erased.'],
  ] as const)(
    'a write that was stopped and left the board %s says so, and writes nothing by itself',
    async (state, text) => {
      render(<FailureView remedies={{}} />);
      act(() => {
        dispatch(1, { type: 'connect', source: serial });
        dispatch(1, { type: 'connected', board: testBoard() });
        dispatch(1, { type: 'plan' });
        dispatch(1, { type: 'planned', plan: testPlan });
        dispatch(1, { type: 'write' });
        dispatch(1, { type: 'failed', failure: { ...commonFailure('cancelled'), state } });
      });
      expect(screen.getByText((content) => content.startsWith(text))).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Connect again' }));
      expect(calls()).toEqual(['connect']);
    },
  );

  it('a board that comes back as another port is to be picked again', async () => {
    expect(await shown('came-back-different')).toContain('Pick the board again');
  });
});
