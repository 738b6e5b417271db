import type { PortState } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { benchStatus } from './bench-status.ts';
import { openPorts } from './open-ports.ts';

function setState(port: 1 | 2, state: PortState, received = 0) {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], state, received } };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports } });
}

describe('open ports', () => {
  it('are counted from opening to closed, and told of when their number changes only', () => {
    const reported: number[] = [];
    const end = openPorts.subscribe(() => reported.push(openPorts.count()));
    expect(openPorts.count()).toBe(0);
    setState(1, 'connecting');
    setState(1, 'connected');
    setState(1, 'connected', 5_000);
    setState(2, 'connected');
    setState(1, 'reconnecting');
    setState(1, 'disconnected');
    end();
    setState(2, 'disconnected');
    expect(reported).toEqual([1, 2, 1]);
    expect(openPorts.count()).toBe(0);
  });
});
