/**
 * Formats sizes and rates in bytes. A KB is 1,024 bytes, like flash sizes and file managers. A kB/s is 1,000 bytes
 * per second, like the baud rate of a line.
 */

const sizeUnits = ['B', 'KB', 'MB', 'GB'] as const;
const rateUnits = ['B/s', 'kB/s', 'MB/s'] as const;

/** Switches to the next unit as soon as rounding to one decimal would give a whole `step`. */
function scaled(value: number, step: 1_000 | 1_024, units: readonly string[]): string {
  let rest = value;
  let unit = 0;
  while (unit < units.length - 1 && rest >= step - 0.05) {
    rest /= step;
    unit++;
  }
  return `${unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}

/** Formats a size, from 1 KB on with one decimal: `212 B`, `20.9 KB`. */
export const sizeText = (bytes: number): string => scaled(bytes, 1_024, sizeUnits);

/** Formats the size of a memory or a limit: `4 MB`, `512 KB`. Omits zero decimals. */
export function memoryText(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  return megabytes >= 1 ? `${Number(megabytes.toFixed(1))} MB` : `${Number((bytes / 1_024).toFixed(1))} KB`;
}

/** `18 B/s`, `8.4 kB/s`. */
export const rateText = (bytesPerSecond: number): string => scaled(bytesPerSecond, 1_000, rateUnits);

/** Formats thousands of bytes per second with one decimal, without the unit: `88.4`. */
export const kilobytesPerSecond = (bytesPerSecond: number): string => (bytesPerSecond / 1_000).toFixed(1);
