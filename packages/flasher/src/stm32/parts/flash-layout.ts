/**
 * How the flash of a part is cut into what an erase takes: pages of one size, or sectors that grow. Knows numbers only.
 */
import type { FlashRange } from '../../core/region.ts';

/** Where the flash of every part begins (AN2606, all bootloader tables). */
export const flashStart = 0x0800_0000;
const KIB = 1_024;

/** What an erase takes, and the number by which the bootloader knows it (AN3155 sections 3.7 and 3.8, "page codes"). */
export interface Sector extends FlashRange {
  readonly code: number;
}

/** Sizes in KiB from the start of a bank on; the last one repeats as far as the bank goes. */
type SectorSizes = readonly number[];

export interface FlashLayout {
  readonly sizes: SectorSizes;
  /** Two banks of half the flash each, each cut in the same way; one when left out. */
  readonly banks?: 1 | 2;
  /** Distance in bytes from bank to bank, where that is more than a bank has. */
  readonly bankStride?: number;
  /** How many codes each bank has, used or not; as many as it has sectors when left out. */
  readonly codesPerBank?: number;
  /** A flash of so many bytes or less is in one bank all the same. */
  readonly oneBankUpTo?: number;
}

export const pages = (sizeInKib: number): FlashLayout => ({ sizes: [sizeInKib] });
/**
 * Two banks whose second one begins with page 256, however many the first one has (RM0351 table 5, RM0432 and RM0444, "Flash memory
 * organization").
 */
export const pagesTwice = (sizeInKib: number): FlashLayout => ({ sizes: [sizeInKib], banks: 2, codesPerBank: 256 });

/** F2 and F4 (RM0033 and RM0090, table "Flash module organization"). */
export const growing16: FlashLayout = { sizes: [16, 16, 16, 16, 64, 128] };
/** Bank 2 begins with sector 12, however many bank 1 has (RM0090, tables for 1 MB and 2 MB in dual bank mode). */
export const growing16Twice: FlashLayout = { ...growing16, banks: 2, codesPerBank: 12 };
/** F74x and F76x (RM0385, RM0410, table "Flash module organization"). */
export const growing32: FlashLayout = { sizes: [32, 32, 32, 32, 128, 256] };
/**
 * H7 with two banks: the second one is 1 MiB behind the first, however small it is (RM0433 section 4.3.4). Value line parts
 * have 128 KiB, all in bank 1.
 */
export const halves = (sizeInKib: number, codesPerBank: number): FlashLayout => ({
  sizes: [sizeInKib],
  banks: 2,
  bankStride: 1_024 * KIB,
  codesPerBank,
  oneBankUpTo: 128 * KIB,
});

/** @param flashSize in bytes. @returns sectors in the order of addresses; a last one that does not fit whole is cut off. */
export function sectorsOf(layout: FlashLayout, flashSize: number): Sector[] {
  const { sizes, bankStride, codesPerBank, oneBankUpTo = 0 } = layout;
  const banks = flashSize <= oneBankUpTo ? 1 : (layout.banks ?? 1);
  const bankSize = flashSize / banks;
  const sectors: Sector[] = [];
  for (let bank = 0; bank < banks; bank++) {
    const start = flashStart + bank * (bankStride ?? bankSize);
    let code = bank === 0 ? 0 : (codesPerBank ?? sectors.length);
    for (let at = 0, index = 0; at < bankSize; index++, code++) {
      const size = (sizes[Math.min(index, sizes.length - 1)] ?? 1) * KIB;
      const length = Math.min(size, bankSize - at);
      sectors.push({ code, offset: start + at, length });
      at += length;
    }
  }
  return sectors;
}
