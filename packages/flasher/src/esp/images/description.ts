/**
 * Reads an image's description: `esp_app_desc_t` of an application (ESP-IDF, `esp_app_desc.h`), or
 * `esp_bootloader_desc_t` of a bootloader since ESP-IDF 5.1 (`esp_bootloader_desc.h`). Also decides which of the two
 * an image is.
 */
import { asciiField, isErased, isFilledWith, viewOf } from '../../core/bytes.ts';
import { type EspImage, type EspSegment, espImageMagic } from './esp-image.ts';

const APP_MAGIC = 0xabcd5432;
const APP_SIZE = 256;
const BOOTLOADER_MAGIC = 80;
const BOOTLOADER_SIZE = 80;

/** Description of an application. Texts are empty if the build left them empty. */
export interface AppDescription {
  readonly project: string;
  readonly version: string;
  /** For example `v5.1.2`. */
  readonly idfVersion: string;
  /** In the compiler's format: `Nov 20 2026`, `12:00:00`. A reproducible build leaves both empty. */
  readonly date: string;
  readonly time: string;
  /** Anti-rollback counter. */
  readonly secureVersion: number;
  /** SHA-256 of the ELF file, which identifies the symbols of this build. Null if the build left it empty. */
  readonly elfHash: Uint8Array | null;
}

export interface BootloaderDescription {
  readonly version: number;
  readonly idfVersion: string;
  /** For example `Nov 20 2026 12:00:00`. */
  readonly built: string;
}

/**
 * `app`: an application that runs from flash. `bootloader`: the second-stage bootloader. `in-memory`: a program that
 * runs from RAM alone, which may be a bootloader of an older build.
 */
export type EspImageRole = 'app' | 'bootloader' | 'in-memory';

/** Bytes at the start of an image that contain its description: the headers, and the start of the first segment. */
export const DESCRIBED_SIZE = 288;
/** Offset of the first segment's data in the images of all chips but the ESP8266. */
const FIRST_SEGMENT = 32;

/**
 * Reads the description from the start of an image, for flash of which no more was read.
 *
 * @param start The first `DESCRIBED_SIZE` bytes.
 */
export function describeStart(start: Uint8Array): AppDescription | BootloaderDescription | null {
  if (start[0] !== espImageMagic || start.length < DESCRIBED_SIZE) {
    return null;
  }
  const segment = { address: 0, position: FIRST_SEGMENT, size: DESCRIBED_SIZE - FIRST_SEGMENT };
  return readApp(start, segment) ?? readBootloader(start, segment);
}

/** Reads the application's description. Returns null if there is no description, as in images built without ESP-IDF. */
export function readAppDescription(bytes: Uint8Array, image: EspImage): AppDescription | null {
  return firstOf(image.segments, (segment) => readApp(bytes, segment));
}

/** Reads the bootloader's description. Returns null if there is no description, as in older builds. */
export function readBootloaderDescription(bytes: Uint8Array, image: EspImage): BootloaderDescription | null {
  return firstOf(image.segments, (segment) => readBootloader(bytes, segment));
}

/**
 * Returns the role by the description. Without one, an image with a segment that is mapped from flash is an
 * application.
 */
export function roleOf(bytes: Uint8Array, image: EspImage): EspImageRole {
  if (readAppDescription(bytes, image) !== null) {
    return 'app';
  }
  if (readBootloaderDescription(bytes, image) !== null) {
    return 'bootloader';
  }
  return image.segments.some(({ address }) => isMappedFromFlash(image, address)) ? 'app' : 'in-memory';
}

/**
 * Returns true if the ROM loads the whole image into RAM, so that it needs neither a bootloader nor a partition
 * table.
 */
export function runsFromMemory({ chip, segments }: EspImage): boolean {
  const ranges = chip === null ? [] : (memory[chip] ?? usualMemory);
  return segments.every(({ address, size }) =>
    ranges.some(([start, end]) => address >= start && address + size <= end),
  );
}

function firstOf<Value>(segments: readonly EspSegment[], read: (segment: EspSegment) => Value | null): Value | null {
  for (const segment of segments) {
    const value = read(segment);
    if (value !== null) {
      return value;
    }
  }
  return null;
}

function readApp(bytes: Uint8Array, { position, size }: EspSegment): AppDescription | null {
  const view = viewOf(bytes);
  if (size < APP_SIZE || view.getUint32(position, true) !== APP_MAGIC) {
    return null;
  }
  const text = (offset: number, length: number) => asciiField(bytes, position + offset, length) ?? '';
  const elfHash = bytes.subarray(position + 144, position + 176);
  return {
    secureVersion: view.getUint32(position + 4, true),
    version: text(16, 32),
    project: text(48, 32),
    time: text(80, 16),
    date: text(96, 16),
    idfVersion: text(112, 32),
    elfHash: isFilledWith(elfHash, 0) || isErased(elfHash) ? null : elfHash.slice(),
  };
}

/** Reads a bootloader's description. Its magic number is a single byte, so all known fields must be plausible too. */
function readBootloader(bytes: Uint8Array, { position, size }: EspSegment): BootloaderDescription | null {
  if (size < BOOTLOADER_SIZE || bytes[position] !== BOOTLOADER_MAGIC) {
    return null;
  }
  const idfVersion = asciiField(bytes, position + 8, 32);
  const built = asciiField(bytes, position + 40, 24);
  if (idfVersion === null || idfVersion === '' || built === null) {
    return null;
  }
  return { version: viewOf(bytes).getUint32(position + 4, true), idfVersion, built };
}

/** Address ranges of data and code that each chip maps from flash (esptool, `targets/*.py`, `MEMORY_MAP`). */
const mappedFromFlash: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  esp8266: [[0x40200000, 0x40300000]],
  esp32: [
    [0x3f400000, 0x3f800000],
    [0x400d0000, 0x40400000],
  ],
  esp32s2: [
    [0x3f000000, 0x3f400000],
    [0x40080000, 0x40800000],
  ],
  esp32p4: [[0x40000000, 0x4c000000]],
};
/** Address ranges of all other chips. */
const usuallyMapped = [
  [0x3c000000, 0x3e000000],
  [0x41800000, 0x44000000],
] as const;

/** Address ranges into which each chip's ROM loads segments (the same table: DRAM, IRAM, RTC memory). */
const memory: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  esp8266: [],
  esp32: [
    [0x3ffae000, 0x40000000],
    [0x40080000, 0x400c2000],
    [0x50000000, 0x50002000],
  ],
  esp32s2: [
    [0x3ffb0000, 0x40000000],
    [0x40020000, 0x40070000],
    [0x50000000, 0x50002000],
  ],
  esp32p4: [[0x4ff00000, 0x4ffc0000]],
};
/** Address ranges of all other chips, both those with two buses and those with one. */
const usualMemory = [
  [0x3fc80000, 0x3fd00000],
  [0x40370000, 0x403e0000],
  [0x40800000, 0x40880000],
  [0x50000000, 0x50004000],
] as const;

function isMappedFromFlash({ chip }: EspImage, address: number): boolean {
  const ranges = chip === null ? usuallyMapped : (mappedFromFlash[chip] ?? usuallyMapped);
  return ranges.some(([start, end]) => address >= start && address < end);
}
