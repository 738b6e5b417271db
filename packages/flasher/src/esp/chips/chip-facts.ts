/**
 * Facts about each chip that need no connected chip. Small, because pages import it. A chip's registers and stub are
 * in its own file beside this one, which is loaded when it connects. All facts are from esptool
 * (`esptool/targets/*.py`, 2026-08) unless a comment says otherwise.
 */
import { notListed } from '../../core/published-list.ts';
import type { Uf2FamilyName } from '../../images/formats/uf2-families.ts';

/**
 * Names as in `esptool --chip`. The ESP8285 is an ESP8266 with embedded flash and shares its name; only `model`
 * differs.
 */
export const chipNames = [
  'esp8266',
  'esp32',
  'esp32s2',
  'esp32s3',
  'esp32c2',
  'esp32c3',
  'esp32c5',
  'esp32c6',
  'esp32c61',
  'esp32h2',
  'esp32h21',
  'esp32h4',
  'esp32p4',
] as const;
export type ChipName = (typeof chipNames)[number];

/** Values in people's units with their codes in the header of an image. */
export type HeaderCodes = readonly (readonly [value: number, code: number])[];

export interface ChipFacts {
  /** Espressif's spelling, by which UF2 files know the chip. */
  readonly label: Uf2FamilyName;
  /** Word at 0x40001000 in the ROM (`MAGIC_VALUE`); null for chips that are identified by their chip ID. */
  readonly magic: number | null;
  /** The ROM's answer to GET_SECURITY_INFO. `unknown-command`: the command must not be sent. */
  readonly securityInfo: 'unknown-command' | 'without-id' | 'with-id';
  /**
   * `chip_id` in the extended header of an image (esp_app_format.h, `esp_chip_id_t`) and in the security information.
   * Null for chips whose images have no such header.
   */
  readonly imageChipId: number | null;
  /** Unit of the oldest minimum-revision field in an image (`esp_app_format.h`, `min_chip_rev`). */
  readonly oldRevisionField: 'major' | 'minor';
  /** Flash offset of the second-stage bootloader in bytes (`BOOTLOADER_FLASH_OFFSET`). */
  readonly bootloaderOffset: number;
  /** True: programs have fixed places, namely a bootloader, a partition table, and apps at multiples of 64 KiB. */
  readonly hasPartitions: boolean;
  /** In MHz, highest first. */
  readonly flashFrequencies: HeaderCodes;
  /** In bytes. If two codes have the same size, the first is written. */
  readonly flashSizes: HeaderCodes;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

const usualFrequencies: HeaderCodes = [
  [80, 15],
  [40, 0],
  [26, 1],
  [20, 2],
];
const frequenciesTo80: HeaderCodes = [
  [80, 15],
  [40, 0],
  [20, 2],
];
const frequenciesTo48: HeaderCodes = [
  [48, 15],
  [24, 0],
  [16, 1],
  [12, 2],
];
const usualSizes: HeaderCodes = [
  [1 * MIB, 0],
  [2 * MIB, 1],
  [4 * MIB, 2],
  [8 * MIB, 3],
  [16 * MIB, 4],
  [32 * MIB, 5],
  [64 * MIB, 6],
  [128 * MIB, 7],
];

export const chipFacts = {
  esp8266: {
    label: 'ESP8266',
    magic: 0xfff0_c101,
    securityInfo: 'unknown-command',
    imageChipId: null,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: false,
    flashFrequencies: usualFrequencies,
    // Codes 5 and 6 are 2 and 4 MiB with another flash map (`2MB-c1`, `4MB-c1`).
    flashSizes: [
      [512 * KIB, 0],
      [256 * KIB, 1],
      [1 * MIB, 2],
      [2 * MIB, 3],
      [4 * MIB, 4],
      [2 * MIB, 5],
      [4 * MIB, 6],
      [8 * MIB, 8],
      [16 * MIB, 9],
    ],
  },
  esp32: {
    label: 'ESP32',
    magic: 0x00f0_1d83,
    securityInfo: 'unknown-command',
    imageChipId: 0,
    oldRevisionField: 'major',
    bootloaderOffset: 0x1000,
    hasPartitions: true,
    flashFrequencies: usualFrequencies,
    flashSizes: usualSizes,
  },
  esp32s2: {
    label: 'ESP32-S2',
    magic: 0x0000_07c6,
    securityInfo: 'without-id',
    imageChipId: 2,
    oldRevisionField: 'major',
    bootloaderOffset: 0x1000,
    hasPartitions: true,
    flashFrequencies: usualFrequencies,
    flashSizes: usualSizes,
  },
  esp32s3: {
    label: 'ESP32-S3',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 9,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: usualFrequencies,
    flashSizes: usualSizes,
  },
  esp32c2: {
    label: 'ESP32-C2',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 12,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: [
      [60, 15],
      [30, 0],
      [20, 1],
      [15, 2],
    ],
    flashSizes: usualSizes,
  },
  esp32c3: {
    label: 'ESP32-C3',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 5,
    oldRevisionField: 'minor',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: usualFrequencies,
    flashSizes: usualSizes,
  },
  esp32c5: {
    label: 'ESP32-C5',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 23,
    oldRevisionField: 'major',
    bootloaderOffset: 0x2000,
    hasPartitions: true,
    flashFrequencies: frequenciesTo80,
    flashSizes: usualSizes,
  },
  esp32c6: {
    label: 'ESP32-C6',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 13,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    // 80 and 40 MHz share one code.
    flashFrequencies: [
      [80, 0],
      [40, 0],
      [20, 2],
    ],
    flashSizes: usualSizes,
  },
  esp32c61: {
    label: 'ESP32-C61',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 20,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: frequenciesTo80,
    flashSizes: usualSizes,
  },
  esp32h2: {
    label: 'ESP32-H2',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 16,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: frequenciesTo48,
    flashSizes: usualSizes,
  },
  esp32h21: {
    label: 'ESP32-H21',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 25,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    flashFrequencies: frequenciesTo48,
    flashSizes: usualSizes,
  },
  esp32h4: {
    label: 'ESP32-H4',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 28,
    oldRevisionField: 'major',
    bootloaderOffset: 0x2000,
    hasPartitions: true,
    // From esptool-js 0.7.0.
    flashFrequencies: frequenciesTo48,
    flashSizes: usualSizes,
  },
  esp32p4: {
    label: 'ESP32-P4',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 18,
    oldRevisionField: 'major',
    bootloaderOffset: 0x2000,
    hasPartitions: true,
    flashFrequencies: usualFrequencies,
    flashSizes: usualSizes,
  },
} satisfies Record<ChipName, ChipFacts>;

/** Returns the chip with this `chip_id` in its images and its security information; null for an unknown ID. */
export function chipOfId(id: number): ChipName | null {
  return chipNames.find((name) => chipFacts[name].imageChipId === id) ?? null;
}

/**
 * Chips of which only the ID is known here (ESP-IDF, `esp_app_format.h`, `esp_chip_id_t`, with the state of
 * `listDate`).
 */
const furtherChips: Readonly<Record<number, string>> = { 32: 'ESP32-S31' };
const listDate = '2026-07-23';

/** Returns the name for a chip ID; null for an ID that ESP-IDF does not list. */
export function chipIdName(id: number): string | null {
  const chip = chipOfId(id);
  return chip === null ? (furtherChips[id] ?? null) : chipFacts[chip].label;
}

/** Returns a text for every chip ID: `ESP32-S3`, or the number of an ID that ESP-IDF does not list. */
export function chipIdText(id: number | null): string {
  return id === null ? 'a chip without an id' : (chipIdName(id) ?? `a chip with id ${id} (${notListed(listDate)})`);
}

/** Returns the chip whose ROM has this word at 0x40001000; null if the chip has to be identified by its chip ID. */
export function chipOfMagic(magic: number): ChipName | null {
  return chipNames.find((name) => chipFacts[name].magic === magic >>> 0) ?? null;
}
