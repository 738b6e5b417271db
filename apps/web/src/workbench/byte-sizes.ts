/** Sizes in bytes, the same everywhere: B, KB, MB and GB of 1,024 each, as flash sizes and file managers count them. */

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** A size with one decimal from a KB on: `212 B`, `20.9 KB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (unit < units.length - 1 && value >= (unit === 0 ? 1_024 : 1_023.95)) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Formats the size of a memory: `4 MB`, `512 KB`, without decimals for whole numbers. */
export function memoryText(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  return megabytes >= 1 ? `${Number(megabytes.toFixed(1))} MB` : `${Number((bytes / 1_024).toFixed(1))} KB`;
}
