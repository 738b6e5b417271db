/** Counts as the interface writes them: thousands apart by a thin space. */

const thinSpace = '\u2009';

/** Sets the thousands of a number's digits apart. */
export const apart = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);

/** `1 205` with a thin space. */
export const count = (value: number): string => apart(String(Math.round(value)));

/** `1 block`, `38 blocks`. */
export const counted = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

/** `1 line`, `38 lines`. */
export const lines = (value: number): string => counted(value, 'line');
