/**
 * The seed of every random input of the tests. Each input follows from this number and the test's own name, so it is
 * the same on every machine, whichever tests run before or beside it. `npm run test:long` sets another one.
 */

/** Name of the variable that sets another seed: a whole number from 0 to 2³² - 1. */
export const SEED_VARIABLE = 'WIREBENCH_TEST_SEED';

/** The seed of `npm test`. It never changes: a change would exchange the inputs of all random tests at once. */
const FIXED_SEED = 20_261_129;

/** Name of the variable that selects the long run, with the value `1`. */
export const LONG_VARIABLE = 'WIREBENCH_TEST_LONG';

/** True in `npm run test:long`: random tests run more often, and tests that repeat a decision are not left out. */
export const isLong: boolean = process.env[LONG_VARIABLE] === '1';

/** Returns the first cases, which decide the same as the others, or all of them in the long run. */
export const firstUnlessLong = <const Case>(cases: readonly Case[], count = 1): readonly Case[] =>
  isLong ? cases : cases.slice(0, count);

/** @throws Error if the variable is no such number. */
export function readSeed(text: string | undefined = process.env[SEED_VARIABLE]): number {
  if (text === undefined) {
    return FIXED_SEED;
  }
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed >= 2 ** 32) {
    throw new Error(`${SEED_VARIABLE} must be a whole number below 4294967296, not "${text}".`);
  }
  return seed;
}
