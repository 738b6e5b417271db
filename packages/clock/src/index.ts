/**
 * Time as a value. Code that waits or reads the time receives a clock and never uses the global one. A test can then
 * run an hour in a millisecond, always the same way.
 */
export type { Clock } from './clock.ts';
export { inOrder, scheduleAt } from './dates.ts';
export { systemClock } from './system-clock.ts';
export { VirtualClock } from './virtual-clock.ts';
