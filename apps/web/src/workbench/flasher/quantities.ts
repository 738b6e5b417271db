/** Formats addresses, sizes and durations for the flashers. */
import { parseOffset } from '@wirebench/contract/constants';

export { memoryText, sizeText } from '../byte-sizes.ts';

/**
 * Formats an address with upper-case digits: `0x10000`. Addresses of more than six digits are padded to eight:
 * `0x08000000`.
 */
export function hexAddress(address: number): string {
  const digits = address.toString(16).toUpperCase();
  return `0x${digits.length > 6 ? digits.padStart(8, '0') : digits}`;
}

/**
 * Formats the offset of a release's file like `hexAddress`, so that the table and the map beside it show the same
 * text.
 */
export function offsetText(offset: string): string {
  const address = parseOffset(offset);
  return address === null ? offset : hexAddress(address);
}

/**
 * Formats a duration: `0.4 s`, `12.9 s`, `2 min 5 s`.
 * @param milliseconds Not negative.
 */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 59.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Formats an estimated duration. */
export function roughDurationText(milliseconds: number): string {
  return milliseconds < 1_000
    ? 'less than a second'
    : `about ${durationText(Math.round(milliseconds / 1_000) * 1_000).replace('.0', '')}`;
}

/** Formats the remaining time as minutes and seconds: `0:06`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Formats a rate in thousands of bytes per second with one decimal, without the unit: `88.4`. */
export function rateText(bytesPerSecond: number): string {
  return (bytesPerSecond / 1_000).toFixed(1);
}
