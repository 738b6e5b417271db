/**
 * A line's own time, or that of its block, in the one column that a line's index has for times. A line of an opened log
 * without a time belongs to the block of the nearest line above that has one.
 */

/** Far below every time, and near enough that whole milliseconds stay exact. */
const BLOCK = -1e15;

/** Returns the number that is stored for a line without a time of its own. NaN stays NaN. */
export const storedBlockTime = (at: number): number => BLOCK - Math.floor(at);

/** Returns the line's own time; NaN without one. */
export const ownTime = (stored: number): number => (stored > BLOCK / 2 ? stored : Number.NaN);

/** Returns the time of the block that a line without a time of its own belongs to, in whole milliseconds; else NaN. */
export const blockTime = (stored: number): number => (stored > BLOCK / 2 ? Number.NaN : BLOCK - stored);
