/** Numbers as people read them: counts with thousands apart by a thin space, durations, bytes as hexadecimal digits. */

const thinSpace = '\u2009';

/** Sets the thousands of a number's digits apart. */
export const apart = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);

/** `1 205` with a thin space. */
export const count = (value: number): string => apart(String(Math.round(value)));

/** `1 block`, `38 blocks`. */
export const counted = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

/** `1 line`, `38 lines`. */
export const lines = (value: number): string => counted(value, 'line');

/**
 * `0F`: upper-case digits without `0x`.
 *
 * @param digits Minimum number of digits, padded with zeros.
 */
export const hexDigits = (value: number, digits = 2): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** `6A 6D D0`. */
export const hexBytes = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => hexDigits(byte)).join(' ');

/**
 * Formats milliseconds as `0.015`, `1:06.015` or `2:01:06.015`. Negative values give 0: the computer's clock may have
 * been set back.
 */
export function stopwatchText(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = Math.floor(whole / 1_000);
  const fraction = `.${String(whole % 1_000).padStart(3, '0')}`;
  if (seconds < 60) {
    return `${seconds}${fraction}`;
  }
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = `${twoDigits(seconds % 60)}${fraction}`;
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}
