import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import type { PortNumber, PortStatus } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Holder, PortRequestOutcome } from '../../../hardware/tab-ports.ts';
import { fakeTabPorts } from '../../../hardware/testing/fake-tab-ports.ts';
import type { PortSource } from '../../../protocol/bench/port-part.ts';
import { CallError } from '../../../workbench/bench-client.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { FailureDock } from './failure-dock.tsx';
// Preloaded, so that no test waits for it.
import './remedies.tsx';

const call = fakeBench();
const tabPorts = fakeTabPorts();

const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const source: PortSource = { kind: 'serial', place: { index: 0, count: 1, info } };

function set(port: PortNumber, status: Partial<PortStatus>) {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], ...status } };
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
}

/** Sets the ports that other tabs hold. Returns a function that changes them. */
function held(...first: Holder[]) {
  tabPorts.hold(first);
  return (...holders: Holder[]) => act(() => tabPorts.hold(holders));
}

/** Makes the bench refuse the next connect with `code`. Later calls succeed. */
async function refusedWith(code: string) {
  call.mockRejectedValueOnce(new CallError({ name: 'SessionError', message: 'refused', code }));
  await act(() => connectSource(2, source, defaultPortSettings));
}

const remedy = () => screen.queryByRole('group', { name: 'What to do about port 2' });

describe('failure dock', () => {
  beforeEach(() => {
    call.mockReset();
    held();
    tabPorts.askToRelease.mockReset();
    setConnectFailure(2, null);
    set(2, { state: 'disconnected', connectedAt: null, settings: null });
    render(<FailureDock />);
  });
  afterEach(cleanup);

  it('names the programs that usually hold a port when no other tab does', async () => {
    await refusedWith('busy');
    expect(remedy()?.textContent).toContain('No other Wirebench tab is using it.');
    for (const program of [
      'Arduino IDE',
      'PlatformIO',
      'idf.py monitor',
      'PuTTY',
      'screen',
      'ModemManager',
      'OctoPrint',
    ]) {
      expect(remedy()?.textContent).toContain(program);
    }
  });

  it('opens the same board again on Try again, and takes the remedy away', async () => {
    await refusedWith('busy');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(call).toHaveBeenLastCalledWith('connect', 2, source, defaultPortSettings);
    expect(remedy()).toBeNull();
  });

  it('goes when it is dismissed', async () => {
    await refusedWith('bad-settings');
    expect(remedy()?.textContent).toContain('This port does not support 115200 8N1.');
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss the advice for port 2' }));
    expect(remedy()).toBeNull();
  });

  it('says that a board did not come back, and connects it again when it is there', async () => {
    set(2, { state: 'reconnecting', connectedAt: 1, notBack: false });
    expect(remedy()).toBeNull();
    set(2, { state: 'disconnected', notBack: true });
    expect(remedy()?.textContent).toContain('The board on Port 2 did not come back within 60 s.');
    await userEvent.click(screen.getByRole('button', { name: 'Connect again' }));
    expect(call).toHaveBeenLastCalledWith('connect', 2, { kind: 'same' }, defaultPortSettings);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss the advice for port 2' }));
    expect(remedy()).toBeNull();
    set(2, { connectedAt: 2 });
    expect(remedy()).not.toBeNull();
    set(2, { notBack: false });
    expect(remedy()).toBeNull();
  });

  it('has a remedy for each failure of an opening', async () => {
    const titles = {
      'permission-denied': 'This browser does not let the page open serial ports.',
      'device-gone': 'The board is gone.',
      'no-memory': 'Not enough memory for a buffer of 64 MB.',
      'open-here': 'This board is already open on another port of this page.',
    };
    for (const [code, title] of Object.entries(titles)) {
      await refusedWith(code);
      expect(screen.getByText(title)).toBeDefined();
    }
  });

  it('has none for a connect that was cancelled', async () => {
    await refusedWith('cancelled');
    expect(remedy()).toBeNull();
  });

  describe('when another tab holds the board', () => {
    const holder: Holder = { tab: 'a', port: 1, name: 'S3 gateway', info };
    const answer = async (outcome: PortRequestOutcome) => {
      const now = held(holder);
      tabPorts.askToRelease.mockResolvedValue(outcome);
      await refusedWith('busy');
      await userEvent.click(screen.getByRole('button', { name: 'Ask the other tab to release it' }));
      return now;
    };

    it('opens the board as soon as that tab has released it', async () => {
      await answer('released');
      expect(tabPorts.askToRelease).toHaveBeenCalledWith(holder);
      expect(call).toHaveBeenLastCalledWith('connect', 2, source, defaultPortSettings);
      expect(remedy()).toBeNull();
    });

    it('says so also when that tab answers late, and takes it back when that tab is closed', async () => {
      const now = held();
      await refusedWith('busy');
      expect(remedy()?.textContent).toContain('No other Wirebench tab is using it.');
      now(holder);
      expect(remedy()?.textContent).toContain('as S3 gateway');
      now();
      expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
    });

    it('remembers what that tab has answered when it is silent for a while', async () => {
      const now = await answer('kept');
      now();
      now(holder);
      expect(screen.getByRole('status').textContent).toContain('The other tab keeps it.');
      now({ ...holder, tab: 'b' });
      expect(screen.getByRole('status').textContent).toContain('It opens here when the other tab releases it');
    });

    it('says that the tab keeps it, and leaves the port alone', async () => {
      await answer('kept');
      expect(remedy()?.textContent).toContain('as S3 gateway');
      expect(screen.getByRole('status').textContent).toBe(
        'The other tab keeps it. Disconnect it there, then try again.',
      );
      expect(call).toHaveBeenCalledTimes(1);
    });

    it('says that the tab did not answer', async () => {
      await answer('no-answer');
      expect(screen.getByRole('status').textContent).toContain('did not answer');
    });
  });
});
