/** Random inputs of tests. The set-up of the test runner says which test is running (`set-up.ts`). */
import { createRandom, type Random } from '@wirebench/devices/random';
import { readSeed } from './seed.ts';

export type { Random } from '@wirebench/devices/random';

/** The test that draws, or its file. */
interface RunningTest {
  /** File, suites and title. Outside of tests, and in concurrent tests, the file. */
  readonly name: string;
  readonly random: Random;
}

/** Kept outside of the module, because some test files load their modules again. */
const place = globalThis as { [RUNNING]?: RunningTest };
const RUNNING: unique symbol = Symbol.for('wirebench.runningTest');

/** Restarts the inputs for a test or a file. Returns a seed for generators that want a number. */
export function begin(name: string): number {
  place[RUNNING] = { name, random: createRandom(readSeed(), name) };
  return createRandom(readSeed(), `${name} seed`).below(2 ** 31);
}

/**
 * Creates numbers of their own, which do not depend on what else the test draws: for what runs concurrently, or for
 * the round of a loop. In the browser tests, `label` names the test too.
 */
export function random(label: string | number): Random {
  return createRandom(readSeed(), `${place[RUNNING]?.name ?? ''} ${label}`);
}

/** @throws Error if no test of Vitest is running. */
function running(): Random {
  const test = place[RUNNING];
  if (test === undefined) {
    throw new Error('No test is running: use random(label).');
  }
  return test.random;
}

/** The next number of the running test, 0 ≤ n < 1. */
export const randomNumber = (): number => running().next();

/**
 * Seeds of the rounds of the running test: consecutive numbers, so that a choice by their remainder takes all of its
 * values.
 */
export function randomSeeds(count: number): number[] {
  const first = 1 + running().below(1_000_000);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The next bytes of the running test, or of `source`. */
export function randomBytes(length: number, source: Random = running()): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    bytes[at] = source.below(256);
  }
  return bytes;
}
