import { cleanup, renderHook } from '@testing-library/react';
import type { PortNumber, PortStatus } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { answerPortRequest, asked, heldPorts, usePortRequest } from './terminal-tab-ports.ts';

const call = fakeBench();

const idle = benchStatus.tick;
const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };

function open(port: PortNumber, kind: 'serial' | 'demo', change: Partial<BenchTick> = {}) {
  const status: PortStatus = { ...idle.status.ports[port], state: 'connected', info };
  benchStatus.accept({
    ...idle,
    status: { ...idle.status, ports: { ...idle.status.ports, [port]: status } },
    devices: { ...idle.devices, [port]: { kind, plugged: true } },
    ...change,
  });
}

const recording = {
  recordings: [
    { id: 'a', kind: 'raw', ports: [2], since: 0, bytes: 0, lines: 0, files: 0, durable: true, folder: null },
  ],
} as const satisfies Partial<BenchTick>;

describe('this tab among the others', () => {
  beforeEach(() => {
    call.mockClear();
    benchStatus.accept(idle);
  });
  afterEach(cleanup);

  it('holds the boards that are open, and no simulated ones', () => {
    expect(heldPorts()).toEqual([]);
    open(2, 'serial');
    expect(heldPorts()).toEqual([{ port: 2, name: 'Port 2', info }]);
    open(2, 'demo');
    expect(heldPorts()).toEqual([]);
  });

  it('releases a board that another tab asks for, and says so', async () => {
    open(2, 'serial');
    expect(await asked(2)).toBe('released');
    const notice = 'Port 2 was released: another Wirebench tab asked for it';
    expect(call.mock.calls).toEqual([
      ['notice', 'info', notice, 2],
      ['disconnect', 2],
    ]);
  });

  it('keeps a board that a guest of the shared bench uses', async () => {
    const status: PortStatus = { ...idle.status.ports[2], state: 'disconnected', info };
    open(2, 'serial', {
      status: { ...idle.status, ports: { ...idle.status.ports, 2: status } },
      users: { ...idle.users, 2: 'Aylin K.' },
    });
    expect(heldPorts()).toEqual([{ port: 2, name: 'Port 2', info }]);
    expect(await asked(2)).toBe('kept');
    expect(call).not.toHaveBeenCalled();
  });

  it('has nothing to release when it does not hold the board any more', async () => {
    expect(await asked(2)).toBe('released');
    expect(await asked(7)).toBe('released');
    expect(call).not.toHaveBeenCalled();
  });

  it('asks the person first while it records, and keeps the board when told so', async () => {
    open(2, 'serial', recording);
    const answer = asked(2);
    expect(renderHook(() => usePortRequest(2)).result.current).toBe(true);
    answerPortRequest(2, 'kept');
    expect(await answer).toBe('kept');
    expect(call).not.toHaveBeenCalled();
    expect(renderHook(() => usePortRequest(2)).result.current).toBe(false);
  });

  it('releases a board at once while only other ports are recorded', async () => {
    open(2, 'serial', { recordings: [{ ...recording.recordings[0], ports: [1, 3] }] });
    expect(await asked(2)).toBe('released');
  });

  it('tells the first tab that it is kept when a second one asks, and answers the second', async () => {
    open(2, 'serial', recording);
    const first = asked(2);
    const second = asked(2);
    expect(await first).toBe('kept');
    answerPortRequest(2, 'released');
    expect(await second).toBe('released');
    expect(call).toHaveBeenCalledWith('disconnect', 2);
  });
});
