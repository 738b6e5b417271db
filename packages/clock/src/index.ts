/**
 * Time as a value: sessions, flashers and simulated devices are given a clock instead of reaching for the global one,
 * so that a test runs an hour of theirs in a millisecond and always the same way.
 * Knows only time: no ports, no bytes.
 */
export type { Clock } from './clock.ts';
export { systemClock } from './system-clock.ts';
export { VirtualClock } from './virtual-clock.ts';
