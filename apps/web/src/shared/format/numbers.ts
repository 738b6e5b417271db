/** Counts as the interface writes them. */
export { apart, count, counted, lines } from '@wirebench/port/numbers';
