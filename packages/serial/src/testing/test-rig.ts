/** A bench on a virtual clock, and its lines as strings. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench, type BenchOptions } from '../bench.ts';
import type { PortNumber } from '../port-number.ts';
import type { Row } from '../timeline-rows.ts';

const start = Date.UTC(2026, 10, 20, 13, 0, 0);

export interface TestRig {
  readonly bench: Bench;
  readonly clock: VirtualClock;
}

export function testRig(options: Omit<BenchOptions, 'clock'> = {}): TestRig {
  const clock = new VirtualClock(start);
  return { bench: new Bench({ clock, ringBytes: 64 * 1024, ...options }), clock };
}

/** Connects a port and returns the device at its other end. */
export async function connected(
  { bench }: TestRig,
  port: PortNumber = 1,
  device = new FakeSerialPort(),
): Promise<FakeSerialPort> {
  await bench.connect(port, device, defaultPortSettings);
  return device;
}

export function allRows(bench: Bench): readonly Row[] {
  return bench.rows({ layout: 'text', anchor: { position: 0 }, count: 1_000 }).rows;
}

/** Returns all notices of the bench so far. */
export function notices(bench: Bench): string[] {
  return texts(allRows(bench).filter((row) => row.direction === 'notice'));
}

/** Returns the lines that a port received so far. */
export function received(bench: Bench, port: PortNumber = 1): string[] {
  return texts(allRows(bench).filter((row) => row.direction === 'received' && row.port === port));
}

function texts(rows: readonly Row[]): string[] {
  return rows.map((row) => new TextDecoder().decode(row.bytes));
}

export function stateOf(bench: Bench, port: PortNumber = 1): string {
  return bench.status().ports[port].state;
}
