/** The search beside devices of pymodbus on a pseudo-terminal: it finds what they were given. Linux and macOS. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { searchModbus } from './modbus-search.ts';
import type { RegisterTable } from './register-ranges.ts';

/** Debian's Python has Debian's modules. */
const python = ['/usr/bin/python3', 'python3'].find(
  (one) => spawnSync(one, ['-c', 'import pymodbus'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
);

const LINES = isLong ? 6 : 1;
/** Time for an answer, in milliseconds: a busy machine takes its time. */
const LIMIT = 500;
/** Addresses of each table that are looked for. */
const LAST = 39;

type Tables = Readonly<Record<RegisterTable, readonly number[]>>;

/** Tables with holes and without, and one that is empty in some devices. */
function randomTables(source: ReturnType<typeof random>): Tables {
  const table = (): readonly number[] => {
    const kind = source.below(4);
    const all = Array.from({ length: LAST + 1 }, (_, address) => address);
    return kind === 0 ? [] : kind === 1 ? all : all.filter(() => source.below(4) > 0);
  };
  return { holding: table(), input: table(), coil: table(), discrete: table() };
}

interface Served {
  readonly path: string;
  readonly server: ChildProcess;
}

async function serve(units: ReadonlyMap<number, Tables>): Promise<Served> {
  const script = fileURLToPath(new URL('testing/pymodbus-line.py', import.meta.url));
  const maps = Object.fromEntries(
    [...units].map(([unit, tables]) => [
      unit,
      Object.fromEntries(
        Object.entries(tables).map(([table, list]) => [
          table,
          // An empty block of pymodbus has no bounds.
          Object.fromEntries((list.length === 0 ? [60_000] : list).map((address) => [address, address & 1])),
        ]),
      ),
    ]),
  );
  const server = spawn(python as string, [script, JSON.stringify(maps)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [path] = (await once(server.stdout, 'data')) as [Buffer];
  return { path: path.toString().trim(), server };
}

async function found(units: ReadonlyMap<number, Tables>, last: number) {
  const { path, server } = await serve(units);
  const terminal = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const reading = new ReadStream(terminal);
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), 120_000);
  try {
    let received: (bytes: Uint8Array) => void = () => undefined;
    reading.on('data', (bytes: Buffer) => received(Uint8Array.from(bytes)));
    return await searchModbus(
      {
        clock: systemClock,
        signal: stop.signal,
        open: async (_, take) => {
          received = take;
          return { send: async (bytes) => void writeSync(terminal, bytes) };
        },
      },
      {
        lines: [defaultPortSettings],
        units: { from: 1, to: last },
        limit: LIMIT,
        registers: { from: 0, to: LAST },
        ignoresTraffic: false,
      },
    );
  } finally {
    clearTimeout(limit);
    reading.destroy();
    const ended = once(server, 'exit');
    server.stdin?.end();
    await ended;
  }
}

describe.runIf(python !== undefined)('search for Modbus devices beside pymodbus', () => {
  it('finds the units and the registers that they were given', { timeout: 290_000 }, async () => {
    const source = random('pymodbus devices');
    for (let line = 0; line < LINES; line++) {
      const last = isLong ? 40 : 6;
      const numbers = new Set(Array.from({ length: isLong ? 6 : 3 }, () => 1 + source.below(last)));
      const units = new Map([...numbers].sort((one, other) => one - other).map((unit) => [unit, randomTables(source)]));
      const { end, devices, damaged, foreign } = await found(units, last);
      expect({ end, damaged, foreign }).toEqual({ end: 'complete', damaged: [], foreign: 0 });
      const read = devices.map(({ unit, tables }) => [
        unit,
        Object.fromEntries(
          (tables ?? []).map(({ table, ranges }) => [
            table,
            ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
          ]),
        ),
      ]);
      const given = [...units].map(([unit, tables]) => [
        unit,
        Object.fromEntries(Object.entries(tables).filter(([, list]) => list.length > 0)),
      ]);
      expect(read).toEqual(given);
      for (const { identification } of devices) {
        expect(identification).toEqual(['pymodbus', 'PM', '3.0']);
      }
    }
  });
});
