/** Separates the thousands of numbers. */

const thinSpace = '\u2009';

export const apart = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);

/** `1 205` with a thin space. */
export const count = (value: number): string => apart(String(Math.round(value)));
