/**
 * Names of the chips that UF2 files are for, by family id (Microsoft, `utils/uf2families.json`; Raspberry Pi, `boot/uf2.h`; Adafruit,
 * `uf2cfg.h` of its nRF52 bootloader). Espressif's ids are with its chips.
 */
import { hexText } from '../../core/bytes.ts';
import { chipFacts, chipNames } from '../../espressif/chips/chip-facts.ts';

/** Rewrites the bootloader itself (Adafruit_nRF52_Bootloader, `CFG_UF2_FAMILY_BOOT_ID`). */
export const adafruitBootloaderFamily = 0xd663823c;

const names: Readonly<Record<string, string>> = {
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
};

/** Such as `nRF52840`; null for an id that is not known. */
export function uf2FamilyName(id: number): string | null {
  const chip = chipNames.find((name) => chipFacts[name].uf2Family === id);
  return chip === undefined ? (names[keyOf(id)] ?? null) : chipFacts[chip].label;
}

/** For people, whatever the id: `nRF52840`, `the family 0x12345678`, `any chip` for a file that names none. */
export function uf2FamilyText(id: number | null): string {
  return id === null ? 'any chip' : (uf2FamilyName(id) ?? `the family ${hexText(id, 8)}`);
}

/** An id as `uf2families.json` writes it, in lower case. */
const keyOf = (id: number) => `0x${id.toString(16).padStart(8, '0')}`;
