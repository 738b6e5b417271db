/** Builds the information about a board from what its bootloader tells, and finds the flash of the bootloader. */
import type { FlashRange } from '../../core/region.ts';
import type { AvrBootloader, AvrFuses, AvrInfo } from '../avr-board.ts';
import type { AvrDriver, AvrFacts } from '../avr-driver.ts';
import { avrNameOf } from '../parts/part-names.ts';
import { type AvrPart, avrPartOf, signatureText } from '../parts/part-table.ts';

/** Size of optiboot in bytes, and of one with EEPROM (`optiboot.c`, `BIGBOOT`). */
const OPTIBOOT = 512;
const OPTIBOOT_WITH_EEPROM = 1_024;
/** `optiboot_x.c`: it begins at 0, and jumps to 512 to start the sketch. */
const XMEGA_BOOT: FlashRange = { offset: 0, length: 512 };

/**
 * Sizes in bytes of the other bootloaders (`boards.txt` of the Arduino core: size of the flash without
 * `maximum_size`). The boot section of the part limits them.
 */
const usualSizes = {
  optiboot: OPTIBOOT,
  atmegaboot: 2_048,
  stk500boot: 8_192,
  caterina: 4_096,
  unknown: 8_192,
} satisfies Record<AvrBootloader, number>;

/** ATmegaBOOT of the Arduino Mega with ATmega1280, and of the Arduino NG with ATmega8. */
const usualAtmegaBoot: Partial<Record<AvrPart['model'], number>> = { atmega1280: 4_096, atmega8: 1_024 };

interface BootFlash {
  readonly range: FlashRange;
  readonly from: AvrInfo['bootloaderRangeFrom'];
}

/** Returns the flash of the bootloader. The fuses decide, if they were read and are possible. */
export function bootFlashOf(
  part: AvrPart,
  { bootloader, fuses }: Pick<AvrFacts, 'bootloader' | 'fuses'>,
  hasEeprom = false,
): BootFlash {
  if (part.isXmega === true) {
    return { range: XMEGA_BOOT, from: 'usual' };
  }
  const told = bootSizeOf(part, fuses);
  const isLarger = bootloader === 'optiboot' && hasEeprom;
  const usual = isLarger
    ? OPTIBOOT_WITH_EEPROM
    : ((bootloader === 'atmegaboot' ? usualAtmegaBoot[part.model] : undefined) ?? usualSizes[bootloader]);
  const [smallest = 0] = part.bootSizes;
  const largest = part.bootSizes.at(-1) ?? 0;
  const length = told ?? Math.min(Math.max(usual, smallest), largest);
  return { range: { offset: part.flashSize - length, length }, from: told === null ? 'usual' : 'fuse' };
}

/** Bit of the high fuse that is 0 on every part that can be programmed by its SPI pins (data sheets, "Fuse High Byte"). */
const SPIEN = 0x20;
/** Bits of the extended fuse of the ATmega168, which are all read as 1, or as 0 by a bootloader that masks them. */
const UNUSED_BITS = 0xf8;

/**
 * Returns the fuses without bytes that no board with a bootloader has: such a byte is the answer of a bootloader that does not
 * read fuses. Null if no byte is left.
 */
export function knownFuses(part: AvrPart, fuses: AvrFuses | null): AvrFuses | null {
  if (fuses === null || part.isXmega === true) {
    return fuses;
  }
  const bytes = [fuses.low, fuses.high, fuses.extended, fuses.lock];
  // Four equal bytes are one constant answer. No board has such fuses.
  if (bytes[0] !== null && bytes.every((byte) => byte === bytes[0])) {
    return null;
  }
  const boot = fuses[part.bootFuse];
  const known = boot === null || isPossibleBootFuse(part, boot) ? fuses : { ...fuses, [part.bootFuse]: null };
  return Object.values(known).every((byte) => byte === null) ? null : known;
}

function isPossibleBootFuse({ bootFuse, resetDisableBit }: AvrPart, fuse: number): boolean {
  if (fuse === 0x00 || fuse === 0xff) {
    return false;
  }
  if (bootFuse === 'extended') {
    const unused = fuse & UNUSED_BITS;
    return unused === UNUSED_BITS || unused === 0;
  }
  return (fuse & SPIEN) === 0 && (resetDisableBit === null || (fuse & resetDisableBit) !== 0);
}

/** Returns the size that BOOTSZ1:0 selects: 11 is the smallest (data sheets, "Boot Size Configuration"). */
function bootSizeOf(part: AvrPart, fuses: AvrFuses | null): number | null {
  const { bootFuse, bootSizes } = part;
  const fuse = knownFuses(part, fuses)?.[bootFuse] ?? null;
  return fuse === null ? null : (bootSizes[3 - ((fuse >>> 1) & 3)] ?? null);
}

export interface InfoInput {
  readonly driver: Pick<AvrDriver, 'protocol' | 'writesInOrder'>;
  readonly facts: AvrFacts;
  readonly hasEeprom: boolean;
  readonly link: AvrInfo['link'];
  readonly entered: AvrInfo['entered'];
  /** In baud. */
  readonly baudRate: number;
}

/** Rate of the bootloaders of older boards, in baud. */
export const oldBaudRate = 57_600;

export function infoOf({ driver, facts, hasEeprom, link, entered, baudRate }: InfoInput): AvrInfo {
  const part = avrPartOf(facts.signature);
  const boot = part === null ? null : bootFlashOf(part, facts, hasEeprom);
  const flashSize = part?.flashSize ?? 0;
  const isFirst = boot !== null && boot.range.offset === 0;
  return {
    link,
    protocol: driver.protocol,
    bootloader: facts.bootloader,
    bootloaderName: facts.name,
    bootloaderVersion: facts.version,
    isOldBootloader: link === 'uart' && baudRate === oldBaudRate,
    signature: signatureText(facts.signature),
    part: part?.name ?? `${avrNameOf(facts.signature) ?? 'AVR'} (${signatureText(facts.signature)})`,
    model: part?.model ?? null,
    flashSize,
    pageSize: part?.pageSize ?? 0,
    application: {
      offset: isFirst ? boot.range.length : 0,
      length: flashSize - (boot?.range.length ?? 0),
    },
    bootloaderRange: boot?.range ?? null,
    bootloaderRangeFrom: boot?.from ?? 'usual',
    eepromSize: part?.eepromSize ?? 0,
    hasEeprom: part !== null && hasEeprom,
    fuses: part === null ? facts.fuses : knownFuses(part, facts.fuses),
    writesInOrder: driver.writesInOrder,
    entered,
  };
}
