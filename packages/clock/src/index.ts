/**
 * Time as a value: what waits or reads the time is given a clock and never reaches for the global one, so that a test runs an hour in a
 * millisecond and always the same way.
 */
export type { Clock } from './clock.ts';
export { systemClock } from './system-clock.ts';
export { VirtualClock } from './virtual-clock.ts';
