/**
 * What the flash settings in an image's header mean, and how they are changed. The chip's ROM and its bootloader read flash by
 * them (esptool documentation, "Flash Modes" and "Firmware Image Format"; tables: esptool, `targets/*.py`).
 */
import type { ChipName } from '../../espressif/chips/chip-name.ts';
import { ImageError } from '../image-error.ts';
import { sha256 } from '../sha256.ts';
import { type EspImage, type FlashCodes, findImageFaults, readEspImage } from './esp-image.ts';

export const flashModes = ['qio', 'qout', 'dio', 'dout'] as const;
/** In the order of their codes, 0 to 3. */
export type FlashMode = (typeof flashModes)[number];

/** What a person chooses: `keep` leaves what the build has set. Frequency in MHz, size in bytes. */
export interface FlashSettings {
  readonly mode: FlashMode | 'keep';
  readonly frequency: number | 'keep';
  readonly size: number | 'keep';
}

export const keepFlashSettings: FlashSettings = { mode: 'keep', frequency: 'keep', size: 'keep' };

/** Null: the header has a code that this chip does not know. */
export interface FlashSettingsRead {
  readonly mode: FlashMode | null;
  /** MHz. Two on ESP32-C6, where one code serves both. */
  readonly frequencies: readonly number[];
  /** Bytes. */
  readonly size: number | null;
}

type Codes = readonly (readonly [value: number, code: number])[];

/** MHz → code. */
const usualFrequencies: Codes = [
  [80, 15],
  [40, 0],
  [26, 1],
  [20, 2],
];
const frequencies: Partial<Record<ChipName, Codes>> = {
  esp32c2: [
    [60, 15],
    [30, 0],
    [20, 1],
    [15, 2],
  ],
  esp32c5: [
    [80, 15],
    [40, 0],
    [20, 2],
  ],
  esp32c6: [
    [80, 0],
    [40, 0],
    [20, 2],
  ],
  esp32c61: [
    [80, 15],
    [40, 0],
    [20, 2],
  ],
  esp32h2: [
    [48, 15],
    [24, 0],
    [16, 1],
    [12, 2],
  ],
};

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** Bytes → code: 1 MiB is 0, and each code doubles it. */
const usualSizes: Codes = [1, 2, 4, 8, 16, 32, 64, 128].map((size, code) => [size * MIB, code] as const);
/** Codes 5 and 6 are 2 and 4 MiB in another map of the flash (`2MB-c1`, `4MB-c1`); they are read, not written. */
const esp8266Sizes: Codes = [
  [512 * KIB, 0],
  [256 * KIB, 1],
  [1 * MIB, 2],
  [2 * MIB, 3],
  [4 * MIB, 4],
  [2 * MIB, 5],
  [4 * MIB, 6],
  [8 * MIB, 8],
  [16 * MIB, 9],
];

const frequenciesOf = (chip: ChipName) => frequencies[chip] ?? usualFrequencies;
const sizesOf = (chip: ChipName) => (chip === 'esp8266' ? esp8266Sizes : usualSizes);

/** MHz, highest first. */
export function flashFrequencies(chip: ChipName): number[] {
  return frequenciesOf(chip).map(([value]) => value);
}

/** Bytes, each once. */
export function flashSizes(chip: ChipName): number[] {
  return [...new Set(sizesOf(chip).map(([value]) => value))].sort((one, other) => one - other);
}

export function readFlashSettings(chip: ChipName, { mode, frequency, size }: FlashCodes): FlashSettingsRead {
  return {
    mode: flashModes[mode] ?? null,
    frequencies: frequenciesOf(chip).flatMap(([value, code]) => (code === frequency ? [value] : [])),
    size: sizesOf(chip).find(([, code]) => code === size)?.[0] ?? null,
  };
}

/**
 * The image with other settings, its SHA-256 made new; the same bytes when nothing changes. What follows the image stays.
 * @throws ImageError `image-signed`, `image-chip-unknown`, `setting-unknown`; `image-checksum` and `image-hash` for an image that
 * is damaged already; and what `readEspImage` throws.
 */
export async function withFlashSettings(bytes: Uint8Array, settings: FlashSettings): Promise<Uint8Array> {
  const image = readEspImage(bytes);
  const [modeByte, sizeByte] = settingBytes(image, settings);
  if (modeByte === bytes[2] && sizeByte === bytes[3]) {
    return bytes;
  }
  if (image.isSigned) {
    throw new ImageError('image-signed');
  }
  const [fault] = await findImageFaults(bytes, image);
  if (fault !== undefined) {
    throw new ImageError(fault);
  }
  const patched = bytes.slice();
  patched[2] = modeByte;
  patched[3] = sizeByte;
  if (image.hasHash) {
    patched.set(await sha256(patched.subarray(0, image.checksumAt + 1)), image.checksumAt + 1);
  }
  return patched;
}

function settingBytes(image: EspImage, { mode, frequency, size }: FlashSettings): [number, number] {
  const { chip, flash } = image;
  if (mode === 'keep' && frequency === 'keep' && size === 'keep') {
    return [flash.mode, flash.size * 16 + flash.frequency];
  }
  if (chip === null) {
    throw new ImageError('image-chip-unknown');
  }
  const modeByte = mode === 'keep' ? flash.mode : flashModes.indexOf(mode);
  const sizeCode = size === 'keep' ? flash.size : codeOf(sizesOf(chip), size);
  const frequencyCode = frequency === 'keep' ? flash.frequency : codeOf(frequenciesOf(chip), frequency);
  return [modeByte, sizeCode * 16 + frequencyCode];
}

function codeOf(codes: Codes, wanted: number): number {
  const found = codes.find(([value]) => value === wanted);
  if (found === undefined) {
    throw new ImageError('setting-unknown');
  }
  return found[1];
}
