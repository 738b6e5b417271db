/**
 * Names of the chips that UF2 files are for, by family ID (Microsoft, `utils/uf2families.json`; Raspberry Pi,
 * `boot/uf2.h`; Adafruit, `uf2cfg.h` of its nRF52 bootloader; esptool, `UF2_FAMILY_ID` in `targets/*.py`).
 */
import { hexNumber } from '../../core/bytes.ts';

/** Family ID of files that replace the bootloader itself (Adafruit_nRF52_Bootloader, `CFG_UF2_FAMILY_BOOT_ID`). */
export const adafruitBootloaderFamily = 0xd663823c;

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
  '0x1b57745f': 'nRF52',
  '0x621e937a': 'nRF52833',
  '0xada52840': 'nRF52840',
  '0xd663823c': "the bootloader of Adafruit's nRF52 boards",
  '0xe48bff56': 'RP2040',
  '0xe48bff57': 'RP2040 or RP2350',
  '0xe48bff58': 'RP2350',
  '0xe48bff59': 'RP2350',
  '0xe48bff5a': 'RP2350',
  '0xe48bff5b': 'RP2350',
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
  '0x53b80f00': 'STM32F7',
  '0x300f5633': 'STM32G0',
  '0x4c71240a': 'STM32G4',
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
} as const;

export type Uf2FamilyName = (typeof families)[keyof typeof families];

const names: Readonly<Record<string, Uf2FamilyName | undefined>> = families;

/** Returns the family's name, such as `nRF52840`; null for an unknown ID. */
export function uf2FamilyName(id: number): string | null {
  return names[hexNumber(id, 8).toLowerCase()] ?? null;
}

/**
 * Returns a text for people for every ID: `nRF52840`, `the family 0x12345678`, `any chip` if the file names no
 * family.
 */
/** Returns the id of a family by its name. */
export function uf2FamilyId(name: Uf2FamilyName): number {
  const found = Object.entries(families).find(([, one]) => one === name);
  return Number(found?.[0] ?? 0);
}

export function uf2FamilyText(id: number | null): string {
  return id === null ? 'any chip' : (uf2FamilyName(id) ?? `the family ${hexNumber(id, 8)}`);
}
