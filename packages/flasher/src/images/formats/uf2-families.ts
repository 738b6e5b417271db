/**
 * Names of the chips that UF2 files are for, by family ID. Source: Microsoft, `uf2/utils/uf2families.json`, with the
 * state of `listDate`, and the rows below `others`. `npm run lists -- uf2-families` compares it with a newer one.
 */
import { hexNumber } from '../../core/bytes.ts';
import { notListed } from '../../core/published-list.ts';

/** Family ID of files that replace the bootloader itself (Adafruit_nRF52_Bootloader, `CFG_UF2_FAMILY_BOOT_ID`). */
export const adafruitBootloaderFamily = 0xd663823c;

/** Date of the newest change of the published list that is contained here. */
const listDate = '2026-02-08';

const families = {
  '0x7eab61ed': 'ESP8266',
  '0x1c5f21b0': 'ESP32',
  '0xbfdd4eee': 'ESP32-S2',
  '0xc47e5767': 'ESP32-S3',
  '0x2b88d29c': 'ESP32-C2',
  '0xd42ba06c': 'ESP32-C3',
  '0xf71c0343': 'ESP32-C5',
  '0x540ddf62': 'ESP32-C6',
  '0x77d850c4': 'ESP32-C61',
  '0x332726f6': 'ESP32-H2',
  '0xb6dd00af': 'ESP32-H21',
  '0x9e0baa8a': 'ESP32-H4',
  '0x3d308e94': 'ESP32-P4',
  '0x3101f7c1': 'ESP32-S31',
  '0x1b57745f': 'nRF52',
  '0x820d9a5f': 'nRF52820',
  '0x72721d4e': 'nRF52832 with 512 KB',
  '0x6f752678': 'nRF52832 with 256 KB',
  '0x621e937a': 'nRF52833',
  '0xada52840': 'nRF52840',
  '0xe48bff56': 'RP2040',
  '0xe48bff57': 'RP2040 or RP2350 (absolute)',
  '0xe48bff58': 'RP2040 or RP2350 (data)',
  '0xe48bff59': 'RP2350 (Arm)',
  '0xe48bff5a': 'RP2350 (RISC-V)',
  '0xe48bff5b': 'RP2350 (Arm, non-secure)',
  '0x68ed2b88': 'SAMD21',
  '0x55114460': 'SAMD51',
  '0x1851780a': 'SAML21',
  '0x16573617': 'ATmega32',
  '0x647824b6': 'STM32F0',
  '0x5ee21072': 'STM32F1',
  '0x5d1a0a2e': 'STM32F2',
  '0x6b846188': 'STM32F3',
  '0x57755a57': 'STM32F4',
  '0x6d0922fa': 'STM32F407',
  '0x8fb060fe': 'STM32F407VG',
  '0x2dc309c5': 'STM32F411xE',
  '0x06d1097b': 'STM32F411xC',
  '0x53b80f00': 'STM32F7',
  '0x300f5633': 'STM32G0',
  '0x4c71240a': 'STM32G4',
  '0x4e8f1c5d': 'STM32H5',
  '0x6db66082': 'STM32H7',
  '0x202e3a91': 'STM32L0',
  '0x1e1f432d': 'STM32L1',
  '0x00ff6919': 'STM32L4',
  '0x04240bdf': 'STM32L5',
  '0x70d16653': 'STM32WB',
  '0x21460ff0': 'STM32WL',
  '0x2abc77ec': 'LPC55xx',
  '0x4fb2d5bd': 'i.MX RT10xx',
  '0x7f83e793': 'KL32L2x',
  '0x31d228c6': 'GD32F350',
  '0x9af03e33': 'GD32VF103',
  '0x7b3ef230': 'BK7231N',
  '0x675a40b0': 'BK7231U or BK7231T',
  '0x6a82cc42': 'BK7251 or BK7252',
  '0x9fffd543': 'RTL8710A',
  '0x22e0d6fc': 'RTL8710B',
  '0xe08f7564': 'RTL8720C',
  '0x3379cfe2': 'RTL8720D',
  '0x51e903a8': 'XR809',
  '0xde1270b7': 'BL602',
  '0x11de784a': 'BL702 (M0SENSE)',
  '0x4b684d71': 'BL618 (MaixPlay-U4)',
  '0x4f6ace52': 'CSK300x or CSK400x',
  '0x6e7348a8': 'CSK60xx',
  '0x5a18069b': 'Cypress FX2',
  '0x9517422f': 'RZ/A1LU',
  '0x7be8976d': 'RA4M1',
  '0xa0c97b8e': 'AT32F415',
  '0x699b62ec': 'CH32V2xx or CH32V3xx',
  '0xd63f8632': 'MAX32650',
  '0xf0c30d71': 'MAX32666',
  '0x7410520a': 'MAX32690',
  '0x91d3fd18': 'MAX78002',
  '0x7d7a66ef': 'PY32F071 (UV-K5 V3)',
} as const;

/** Families that the list does not have. */
const others = {
  '0xd663823c': "the bootloader of Adafruit's nRF52 boards",
  '0xe48bff55': 'the CYW43 radio of a Pico W',
} as const;

export type Uf2FamilyName = (typeof families)[keyof typeof families];

const names: Readonly<Record<string, string | undefined>> = { ...families, ...others };

/** Returns the family's name, such as `nRF52840`; null for an unknown ID. */
export function uf2FamilyName(id: number): string | null {
  return names[hexNumber(id, 8).toLowerCase()] ?? null;
}

/** Returns the id of a family by its name. */
export function uf2FamilyId(name: Uf2FamilyName): number {
  const found = Object.entries(families).find(([, one]) => one === name);
  return Number(found?.[0] ?? 0);
}

/**
 * Returns a text for people for every ID: `nRF52840`, `any chip` if the file names no family, and the number of a
 * family that is not in the list.
 */
export function uf2FamilyText(id: number | null): string {
  return id === null ? 'any chip' : (uf2FamilyName(id) ?? `the family ${hexNumber(id, 8)} (${notListed(listDate)})`);
}
