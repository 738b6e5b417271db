import type { PortState } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { LostPorts } from './panels-store.ts';

/** Returns the ports reported lost after each state of port 1. */
function lost(...states: readonly (PortState | 'used')[]): number[][] {
  const ports = new LostPorts();
  const nobody = { 1: null, 2: null, 3: null, 4: null };
  return states.map((state) => {
    const [now, users] =
      state === 'used' ? (['disconnected', { ...nobody, 1: 'Aylin K.' }] as const) : ([state, nobody] as const);
    return [...ports.take({ 1: now, 2: 'disconnected', 3: 'connected', 4: 'reconnecting' }, users)];
  });
}

describe('a port has gone', () => {
  it('when it was connected and is not any more, once', () => {
    expect(lost('connected', 'disconnecting', 'disconnected', 'disconnected')).toEqual([[], [], [1], []]);
    expect(lost('connected', 'reconnecting', 'disconnected')).toEqual([[], [1], []]);
    expect(lost('connected', 'disconnected', 'connected', 'disconnected')).toEqual([[], [1], [], [1]]);
  });

  it('not while it is still closing', () => {
    expect(lost('connected', 'disconnecting')).toEqual([[], []]);
  });

  it('not while a guest uses it, but when it is not open afterwards', () => {
    expect(lost('connected', 'used', 'used', 'connecting', 'connected')).toEqual([[], [], [], [], []]);
    expect(lost('connected', 'used', 'disconnected')).toEqual([[], [], [1]]);
  });

  it('not when it never was connected', () => {
    expect(lost('disconnected', 'connecting', 'disconnected')).toEqual([[], [], []]);
  });

  it('not when it is opened again at once with other settings, but when that fails', () => {
    expect(lost('connected', 'disconnecting', 'connecting', 'connected')).toEqual([[], [], [], []]);
    expect(lost('connected', 'disconnecting', 'connecting', 'disconnected')).toEqual([[], [], [], [1]]);
  });
});
