/**
 * Rules of firmware releases in the specification's words: devices, limits, texts, flash addresses, when two names are the
 * same. Forms and the server check with the same functions.
 */

/** Device families with their models, in the order of the form. */
export const deviceModels = {
  esp: ['esp32', 'esp32s2', 'esp32s3', 'esp32c6', 'esp32c3'],
  stm: ['stm32f', 'stm32g', 'stm32h', 'stm32l', 'stm32w'],
} as const;

export type DeviceFamily = keyof typeof deviceModels;
export type DeviceModel = (typeof deviceModels)[DeviceFamily][number];

/** How the vendors write what a model stands for: a chip, or a series. */
export const deviceModelNames: Readonly<Record<DeviceModel, string>> = {
  esp32: 'ESP32',
  esp32s2: 'ESP32-S2',
  esp32s3: 'ESP32-S3',
  esp32c6: 'ESP32-C6',
  esp32c3: 'ESP32-C3',
  stm32f: 'STM32F',
  stm32g: 'STM32G',
  stm32h: 'STM32H',
  stm32l: 'STM32L',
  stm32w: 'STM32W',
};

/** Lengths in UTF-16 code units, sizes in bytes. How many projects and versions there may be is in `/config.json`. */
export const releaseLimits = {
  nameMaxLength: 80,
  versionMaxLength: 40,
  descriptionMaxLength: 5_000,
  files: 4,
  fileSize: 16 * 1_024 * 1_024,
  fileNameMaxLength: 100,
  /** Flash addresses are 32 bits wide: the end of a file may be here, its last byte may not. */
  addressSpace: 2 ** 32,
} as const;

export const releaseText = {
  signInRequired: 'Please sign in to view and manage projects',
  nameRequired: 'Project name is required',
  nameTaken: 'A project with this name already exists',
  modelRequired: 'Device model is required',
  versionRequired: 'Please enter a version number',
  descriptionRequired: 'Description is required',
  fileRequired: 'At least one firmware file with offset is required',
  versionTaken: (version: string) =>
    `Version "${version}" already exists in this project. Please use a unique version number.`,
  projectLimit: (limit: number) =>
    `You have reached the maximum limit of ${limit} projects. Please delete an existing project before creating a new one.`,
  versionLimit: (limit: number) =>
    `You have reached the maximum limit of ${limit} versions per project. Please delete an existing version before creating a new one.`,
  notPublic: (type: 'project' | 'version') => `Make this ${type} public before sharing it.`,
} as const;

/** Line endings that a version can ask of the monitor: line feed, both, carriage return, nothing. */
export const lineEndings = ['lf', 'crlf', 'cr', 'none'] as const;

/** Baud rates that a version can ask of the monitor; both bounds are included. */
export const consoleBaudRates = { minimum: 50, maximum: 8_000_000 } as const;

/** What two project names or two version numbers are compared by: without white space around, in any case. */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** A flash address from `0x…` hex or decimal digits, white space around allowed; null unless it is below 2³². */
export function parseOffset(text: string): number | null {
  const digits = text.trim();
  if (!/^(0x[\da-f]{1,16}|\d{1,16})$/i.test(digits)) {
    return null;
  }
  const offset = Number(digits);
  return offset < releaseLimits.addressSpace ? offset : null;
}

/** The form that the specification shows, such as `0x10000`. */
export function formatOffset(offset: number): string {
  return `0x${offset.toString(16)}`;
}

/** What a file takes of the flash. */
export interface FlashRegion {
  readonly fileName: string;
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
}

/** Two regions that share a byte, the lower one first; null when there are none. */
export function findOverlap<Region extends FlashRegion>(regions: readonly Region[]): readonly [Region, Region] | null {
  const byOffset = regions.filter(({ size }) => size > 0).sort((one, other) => one.offset - other.offset);
  for (const [index, lower] of byOffset.entries()) {
    const upper = byOffset[index + 1];
    if (upper !== undefined && lower.offset + lower.size > upper.offset) {
      return [lower, upper];
    }
  }
  return null;
}

/** Says which files are in each other's way and where. */
export function overlapText([lower, upper]: readonly [FlashRegion, FlashRegion]): string {
  return `Files must not overlap: "${lower.fileName}" (${span(lower)}) and "${upper.fileName}" (${span(upper)}) do.`;
}

function span({ offset, size }: FlashRegion): string {
  return `${formatOffset(offset)} to ${formatOffset(offset + size - 1)}`;
}
