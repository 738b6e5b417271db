import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { awaitReturn, followReturn, type ReturnedPort } from './returned-port.ts';
import { runOn } from './testing/run-on.ts';

const port = {} as SerialPort;

/** Comes back after `delay` milliseconds. */
const after = (clock: VirtualClock, delay: number, personWait?: number): ReturnedPort =>
  Object.assign(
    async (signal: AbortSignal) => {
      await clock.sleep(delay, signal);
      return port;
    },
    personWait === undefined ? {} : { personWait },
  );

it.each([
  [4_000, undefined, port],
  [6_000, undefined, null],
  [6_000, 0, null],
  [50_000, 60_000, port],
  [61_000, 60_000, null],
])('a board that is back after %i ms is found with %s ms for a person', async (delay, personWait, found) => {
  const clock = new VirtualClock();
  const returned = followReturn(after(clock, delay, personWait), (back) => back);
  expect(await runOn(clock, awaitReturn({ clock, returned }, new AbortController().signal, 5_000))).toBe(found);
});
