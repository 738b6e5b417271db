/**
 * Decodes and changes the flash settings in an image's header. The chip's ROM and its bootloader access flash by them
 * (esptool documentation, "Flash Modes" and "Firmware Image Format"). The codes of each chip are in
 * `chips/chip-facts.ts`.
 */

import { ImageError } from '../../images/image-error.ts';
import { sha256 } from '../../images/sha256.ts';
import { type ChipName, chipFacts, type HeaderCodes } from '../chips/chip-facts.ts';
import { type EspImage, type FlashCodes, findImageFaults, readEspImage } from './esp-image.ts';

export const flashModes = ['qio', 'qout', 'dio', 'dout'] as const;
/** Modes in the order of their codes, 0 to 3. */
export type FlashMode = (typeof flashModes)[number];

/** Settings that a person chooses. `keep` leaves the build's setting. Frequency in MHz, size in bytes. */
export interface FlashSettings {
  readonly mode: FlashMode | 'keep';
  readonly frequency: number | 'keep';
  readonly size: number | 'keep';
}

export const keepFlashSettings: FlashSettings = { mode: 'keep', frequency: 'keep', size: 'keep' };

/** Decoded settings. Null: the header has a code that is unknown for this chip. */
export interface FlashSettingsRead {
  readonly mode: FlashMode | null;
  /** In MHz. Two on the ESP32-C6, where one code means both. */
  readonly frequencies: readonly number[];
  /** In bytes. */
  readonly size: number | null;
}

/** Returns the chip's flash frequencies in MHz, highest first. */
export function flashFrequencies(chip: ChipName): number[] {
  return chipFacts[chip].flashFrequencies.map(([value]) => value);
}

/** Returns the chip's flash sizes in bytes, without duplicates, smallest first. */
export function flashSizes(chip: ChipName): number[] {
  return [...new Set(chipFacts[chip].flashSizes.map(([value]) => value))].sort((one, other) => one - other);
}

export function readFlashSettings(chip: ChipName, { mode, frequency, size }: FlashCodes): FlashSettingsRead {
  return {
    mode: flashModes[mode] ?? null,
    frequencies: chipFacts[chip].flashFrequencies.flatMap(([value, code]) => (code === frequency ? [value] : [])),
    size: chipFacts[chip].flashSizes.find(([, code]) => code === size)?.[0] ?? null,
  };
}

/**
 * Returns the image with other settings and a new SHA-256, or the same bytes if no setting changes. Bytes after the
 * image are kept.
 *
 * @throws ImageError `image-signed`, `image-chip-unknown`, `setting-unknown`.
 * @throws ImageError `image-checksum` or `image-hash` for an image that is already damaged.
 * @throws errors of `readEspImage`.
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
  const sizeCode = size === 'keep' ? flash.size : codeOf(chipFacts[chip].flashSizes, size);
  const frequencyCode = frequency === 'keep' ? flash.frequency : codeOf(chipFacts[chip].flashFrequencies, frequency);
  return [modeByte, sizeCode * 16 + frequencyCode];
}

function codeOf(codes: HeaderCodes, wanted: number): number {
  const found = codes.find(([value]) => value === wanted);
  if (found === undefined) {
    throw new ImageError('setting-unknown');
  }
  return found[1];
}
