/**
 * One record for each chip: what the product knows of it without one at hand. Small on purpose: pages import it. How to talk to a
 * chip, its registers and its stub, is in the chip's own file beside this one and is loaded with a connection.
 * All facts are from esptool (`esptool/targets/*.py`, 2026-08) unless a comment says otherwise.
 */

/** As `esptool --chip` spells them. ESP8285 is an ESP8266 with flash inside: the same name, its model tells. */
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

/** Values as a person knows them, and their codes in the header of an image. */
export type HeaderCodes = readonly (readonly [value: number, code: number])[];

export interface ChipFacts {
  /** As Espressif writes it. */
  readonly label: string;
  /** The word at 0x40001000 in its ROM (`MAGIC_VALUE`); null where the chip's id identifies it. */
  readonly magic: number | null;
  /** What its ROM answers to GET_SECURITY_INFO; `unknown-command`: it must not be asked. */
  readonly securityInfo: 'unknown-command' | 'without-id' | 'with-id';
  /**
   * `chip_id` in the extended header of an image (esp_app_format.h, `esp_chip_id_t`) and in the security information; null for
   * chips whose images have no such header.
   */
  readonly imageChipId: number | null;
  /** What the oldest field of an image for a minimum revision counts (`esp_app_format.h`, `min_chip_rev`). */
  readonly oldRevisionField: 'major' | 'minor';
  /** Where the ROM looks for the second-stage bootloader, in bytes (`BOOTLOADER_FLASH_OFFSET`). */
  readonly bootloaderOffset: number;
  /** Whether programs have fixed places: bootloader, partition table, apps at multiples of 64 KiB. */
  readonly hasPartitions: boolean;
  /** MHz, the highest first. */
  readonly flashFrequencies: HeaderCodes;
  /** Bytes. Where two codes have one size, the first is written. */
  readonly flashSizes: HeaderCodes;
  /** Family id in UF2 files (`UF2_FAMILY_ID`). */
  readonly uf2Family: number;
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
    // Codes 5 and 6 are 2 and 4 MiB in another map of the flash (`2MB-c1`, `4MB-c1`).
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
    uf2Family: 0x7eab_61ed,
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
    uf2Family: 0x1c5f_21b0,
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
    uf2Family: 0xbfdd_4eee,
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
    uf2Family: 0xc47e_5767,
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
    uf2Family: 0x2b88_d29c,
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
    uf2Family: 0xd42b_a06c,
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
    uf2Family: 0xf71c_0343,
  },
  esp32c6: {
    label: 'ESP32-C6',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 13,
    oldRevisionField: 'major',
    bootloaderOffset: 0x0,
    hasPartitions: true,
    // One code serves both.
    flashFrequencies: [
      [80, 0],
      [40, 0],
      [20, 2],
    ],
    flashSizes: usualSizes,
    uf2Family: 0x540d_df62,
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
    uf2Family: 0x77d8_50c4,
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
    uf2Family: 0x3327_26f6,
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
    uf2Family: 0xb6dd_00af,
  },
  esp32h4: {
    label: 'ESP32-H4',
    magic: null,
    securityInfo: 'with-id',
    imageChipId: 28,
    oldRevisionField: 'major',
    bootloaderOffset: 0x2000,
    hasPartitions: true,
    // As esptool-js 0.7.0 has them.
    flashFrequencies: frequenciesTo48,
    flashSizes: usualSizes,
    uf2Family: 0x9e0b_aa8a,
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
    uf2Family: 0x3d30_8e94,
  },
} satisfies Record<ChipName, ChipFacts>;

/** The chip that an image with this `chip_id` was built for, or that reports this id; null when none of these. */
export function chipOfId(id: number): ChipName | null {
  return chipNames.find((name) => chipFacts[name].imageChipId === id) ?? null;
}

/** The chip whose ROM has this word at 0x40001000; null when the chip has to be asked for its id. */
export function chipOfMagic(magic: number): ChipName | null {
  return chipNames.find((name) => chipFacts[name].magic === magic >>> 0) ?? null;
}
