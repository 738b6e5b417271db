/**
 * AVR parts with a bootloader, by signature. Sources: the data sheets of Microchip, "Signature Bytes", "Memories" and
 * "Boot Loader Parameters" (boot sizes by BOOTSZ).
 */
import { hexNumber } from '../../core/bytes.ts';

const KIB = 1_024;

/** Names in releases: the part in lower case. */
export const avrModels = [
  'atmega8',
  'atmega168',
  'atmega168p',
  'atmega168pb',
  'atmega328',
  'atmega328p',
  'atmega328pb',
  'atmega16u2',
  'atmega32u2',
  'atmega32u4',
  'atmega644p',
  'atmega1280',
  'atmega1284p',
  'atmega2560',
  'atmega4809',
] as const;

export type AvrModel = (typeof avrModels)[number];

export interface AvrPart {
  readonly model: AvrModel;
  readonly name: string;
  /** Three signature bytes as one number: `0x1e950f`. */
  readonly signature: number;
  /** All sizes are in bytes. */
  readonly flashSize: number;
  /** Unit of an erase and a write of flash. */
  readonly pageSize: number;
  readonly eepromSize: number;
  /** Sizes of the boot section, selected by BOOTSZ1:0 = 11, 10, 01, 00. Empty for ATmega4809, which has no BOOTSZ. */
  readonly bootSizes: readonly number[];
  /** Fuse byte with BOOTSZ in its bits 2:1. */
  readonly bootFuse: 'high' | 'extended';
  /** Bit of the high fuse that turns the reset pin off if it is 0 (RSTDISBL); null for parts without one. */
  readonly resetDisableBit: number | null;
  /** True: no lock bits and fuses of the kind of the other parts, and EEPROM and flash at addresses of data memory. */
  readonly isXmega?: true;
}

type Row = readonly [
  model: AvrModel,
  name: string,
  signature: number,
  flashKib: number,
  pageSize: number,
  eepromSize: number,
  bootSizes: readonly number[],
  bootFuse?: 'extended',
];

const boot256 = [256, 512, 1_024, 2_048];
const boot512 = [512, 1_024, 2_048, 4_096];
const boot1024 = [1_024, 2_048, 4_096, 8_192];

const rows: readonly Row[] = [
  ['atmega8', 'ATmega8', 0x1e9307, 8, 64, 512, boot256],
  ['atmega168', 'ATmega168', 0x1e9406, 16, 128, 512, boot256, 'extended'],
  ['atmega168p', 'ATmega168P', 0x1e940b, 16, 128, 512, boot256, 'extended'],
  ['atmega168pb', 'ATmega168PB', 0x1e9415, 16, 128, 512, boot256, 'extended'],
  ['atmega328', 'ATmega328', 0x1e9514, 32, 128, 1_024, boot512],
  ['atmega328p', 'ATmega328P', 0x1e950f, 32, 128, 1_024, boot512],
  ['atmega328pb', 'ATmega328PB', 0x1e9516, 32, 128, 1_024, boot512],
  ['atmega16u2', 'ATmega16U2', 0x1e9489, 16, 128, 512, boot512],
  ['atmega32u2', 'ATmega32U2', 0x1e958a, 32, 128, 1_024, boot512],
  ['atmega32u4', 'ATmega32U4', 0x1e9587, 32, 128, 1_024, boot512],
  ['atmega644p', 'ATmega644P', 0x1e960a, 64, 256, 2_048, boot1024],
  ['atmega1280', 'ATmega1280', 0x1e9703, 128, 256, 4_096, boot1024],
  ['atmega1284p', 'ATmega1284P', 0x1e9705, 128, 256, 4_096, boot1024],
  ['atmega2560', 'ATmega2560', 0x1e9801, 256, 256, 4_096, boot1024],
];

/** RSTDISBL in the high fuse of the small parts. Those with JTAG or on-chip debugging have none. */
const resetDisableBits: Partial<Record<AvrModel, number>> = {
  atmega8: 0x80,
  atmega168: 0x80,
  atmega168p: 0x80,
  atmega168pb: 0x80,
  atmega328: 0x80,
  atmega328p: 0x80,
  atmega328pb: 0x80,
  atmega16u2: 0x40,
  atmega32u2: 0x40,
};

/** All supported parts. */
export const avrParts: readonly AvrPart[] = [
  ...rows.map(
    ([model, name, signature, kib, pageSize, eepromSize, bootSizes, bootFuse = 'high' as const]): AvrPart => ({
      model,
      name,
      signature,
      flashSize: kib * KIB,
      pageSize,
      eepromSize,
      bootSizes,
      bootFuse,
      resetDisableBit: resetDisableBits[model] ?? null,
    }),
  ),
  {
    model: 'atmega4809',
    name: 'ATmega4809',
    signature: 0x1e9651,
    flashSize: 48 * KIB,
    pageSize: 128,
    eepromSize: 256,
    bootSizes: [],
    bootFuse: 'high',
    resetDisableBit: null,
    isXmega: true,
  },
];

/** Returns the part with this signature; null for an unknown one. */
export function avrPartOf(signature: number): AvrPart | null {
  return avrParts.find((part) => part.signature === signature) ?? null;
}

/** Formats a signature as six digits: `0x1E950F`. */
export function signatureText(signature: number): string {
  return hexNumber(signature, 6);
}
