/** Divides a part's flash into the sectors that an erase takes: pages of one size, or sectors of growing sizes. */
import type { FlashRange } from '../../core/region.ts';
import type { TouchedSector } from '../../core/sector-cover.ts';

/** Start address of the flash of every part (AN2606, all bootloader tables). */
export const flashStart = 0x0800_0000;
const KIB = 1_024;

/** A sector with its number in the bootloader (AN3155 sections 3.7 and 3.8, "page codes"). */
export interface Sector extends FlashRange {
  readonly code: number;
}

/** A sector and the parts of regions in it. */
export type StmTouchedSector = TouchedSector<Sector>;

/** Sector sizes in KiB from the start of a bank. The last one repeats to the end of the bank. */
type SectorSizes = readonly number[];

export interface FlashLayout {
  readonly sizes: SectorSizes;
  /** 2: two banks of half the flash each, divided in the same way. Default 1. */
  readonly banks?: 1 | 2;
  /** Distance between the banks in bytes. Default: the size of a bank. */
  readonly bankStride?: number;
  /** Codes reserved for each bank, used or not. Default: the number of its sectors. */
  readonly codesPerBank?: number;
  /** Flash size in bytes up to which there is only one bank. */
  readonly oneBankUpTo?: number;
}

export const pages = (sizeInKib: number): FlashLayout => ({ sizes: [sizeInKib] });
/**
 * Two banks. The second one begins with page 256, regardless of the number of pages in the first (RM0351 table 5,
 * RM0432 and RM0444, "Flash memory organization").
 */
export const pagesTwice = (sizeInKib: number): FlashLayout => ({ sizes: [sizeInKib], banks: 2, codesPerBank: 256 });

/** F2 and F4 (RM0033 and RM0090, table "Flash module organization"). */
export const growing16: FlashLayout = { sizes: [16, 16, 16, 16, 64, 128] };
/**
 * Bank 2 begins with sector 12, regardless of the number of sectors in bank 1. Source: RM0090, tables for 1 MB and 2
 * MB in dual bank mode.
 */
export const growing16Twice: FlashLayout = { ...growing16, banks: 2, codesPerBank: 12 };
/** F74x and F76x (RM0385, RM0410, table "Flash module organization"). */
export const growing32: FlashLayout = { sizes: [32, 32, 32, 32, 128, 256] };
/**
 * H7 with two banks. The second one is 1 MiB after the first, regardless of its size (RM0433 section 4.3.4). Value
 * line parts have 128 KiB, all in bank 1.
 */
export const halves = (sizeInKib: number, codesPerBank: number): FlashLayout => ({
  sizes: [sizeInKib],
  banks: 2,
  bankStride: 1_024 * KIB,
  codesPerBank,
  oneBankUpTo: 128 * KIB,
});

/**
 * Returns the sectors in the order of addresses. The last one is shortened if it does not fit.
 *
 * @param flashSize In bytes.
 */
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
