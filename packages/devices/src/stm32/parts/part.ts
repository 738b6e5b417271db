/**
 * What distinguishes one STM32 part from another, as far as its bootloaders show it. Facts of one part are in a file of its own.
 *
 * Sources, unless a constant names another: AN2606 "STM32 microcontroller system memory boot mode", Table 3 (protocol versions,
 * bootloader IDs), Table 7 (alignment), Table 226 (product ID, RAM, system memory), Table 227 (start-up times); the reference
 * manual of the part (memory map, option bytes, registers); its data sheet, "Flash memory characteristics".
 * Product IDs, RAM and system memory agree with the table of stm32flash 0.7.
 */

/** Addresses from `start`, `length` bytes. */
export interface StmRange {
  readonly start: number;
  readonly length: number;
}

/** Milliseconds. */
export interface StmFlashTimes {
  /** Programming of one unit. */
  readonly program: number;
  /** Erasing of one page or sector, by its size in bytes. */
  readonly erase: Readonly<Record<number, number>>;
  /** Mass erase of one bank. */
  readonly massErase: number;
}

interface StmFlashFacts {
  /** Bytes of flash of the members of the family that this device stands for; the first is the usual one. */
  readonly sizes: readonly number[];
  /** Erasable pages or sectors: how many of which size, from 0x08000000. The last kind repeats to the end of the flash. */
  readonly layout: readonly { readonly count: number; readonly size: number }[];
  readonly banks: 1 | 2;
  readonly erased: 0x00 | 0xff;
  /** Bytes that belong together: all of them have to be erased before any is programmed. */
  readonly unit: number;
  /** Bytes that are programmed in the time of one unit where they are aligned; the unit itself on most parts. */
  readonly burst: number;
  /**
   * What happens to a unit that is not erased. `clears-bits`: bits fall, none rises. `refused`: nothing is programmed, unless
   * the new content is all zero bits; on parts whose erased flash is 0 that exception does not exist.
   */
  readonly rewrite: 'clears-bits' | 'refused';
  /** What the start address of a write must be a multiple of. */
  readonly alignment: 4 | 8;
  /** Typical figures, for `real-flash`. */
  readonly times: StmFlashTimes;
  /** Maximum figures of the same tables, for `slow-flash`. */
  readonly slowest: StmFlashTimes;
}

/** How option bytes are in memory: each value beside its complement, of so many bytes each; `none`: values alone. */
type ComplementWidth = 'none' | 1 | 2 | 4;

/** Where a part says which of its pages are write protected. */
type WriteProtectionFacts =
  /** A bit for every `pages` pages, in the value bytes at these offsets; `protectedBit` marks a protected one. */
  | {
      readonly kind: 'bits';
      readonly pages: number;
      readonly offsets: readonly number[];
      readonly protectedBit: 0 | 1;
    }
  /** Two bytes at these offsets: first and last page of an area; first > last is none. */
  | { readonly kind: 'area'; readonly first: number; readonly last: number };

export interface StmOptionFacts {
  /** The areas; offsets count through all of them. */
  readonly ranges: readonly StmRange[];
  readonly complement: ComplementWidth;
  /** The value bytes as they are delivered, as `[offset, value]`; the others are 0xff. Complements follow by themselves. */
  readonly values: readonly (readonly [offset: number, value: number])[];
  /** Offset of the byte of read protection, and what it holds at level 0. */
  readonly protection: { readonly offset: number; readonly none: 0xa5 | 0xaa };
  readonly writeProtection: WriteProtectionFacts;
  /** The part restarts when option bytes were changed through its bootloader. */
  readonly restarts: boolean;
}

export interface StmUsbFacts {
  /** Names of the alternate settings: they say what memory there is (UM0424, section 4.3.2). */
  readonly alternates: readonly string[];
  /** wTransferSize, in bytes. */
  readonly transferSize: number;
  /** bcdDevice. */
  readonly release: number;
}

export interface StmPart {
  /** `STM32F407`. */
  readonly title: string;
  /** What GetID gives. */
  readonly productId: number;
  /** USART protocol, as GetVersion gives it: 0x31 is V3.1. */
  readonly protocol: number;
  /** Identifier of the bootloader and where it is; null for those that have none. */
  readonly bootloaderId: { readonly address: number; readonly value: number } | null;
  /** Milliseconds from reset until the bootloader listens. */
  readonly startup: number;
  readonly flash: StmFlashFacts;
  /** RAM that the bootloader leaves to others. */
  readonly ram: readonly StmRange[];
  readonly systemMemory: StmRange;
  readonly otp: StmRange | null;
  /** Data memory, on parts that have one. */
  readonly dataMemory: StmRange | null;
  readonly options: StmOptionFacts;
  /** Registers that say what the part is: the flash size in KiB, 16 bits, and three words of unique id. */
  readonly sizeRegister: number;
  readonly uniqueId: readonly [number, number, number];
  /**
   * Where these registers lie outside of the memories above: whether a read may start at them. Where it may not, they come
   * along with a read that starts before them (stm32loader, `_get_flash_size_and_uid_bulk`).
   */
  readonly identityStarts: boolean;
  /** 0x43 Erase, or 0x44 Extended Erase. */
  readonly eraseCommand: 0x43 | 0x44;
  readonly massErase: boolean;
  /** Two NACKs to Read Memory and Write Memory under read protection (AN2606, "Known limitations"). */
  readonly doubleNack: boolean;
  /** An empty flash starts the bootloader although BOOT0 is low, until option bytes are loaded again. */
  readonly emptyCheck: boolean;
  /** Width of programming can be chosen at 0xFFFF0000 (AN2606, Table 4). */
  readonly voltageRange: boolean;
  readonly usb: StmUsbFacts | null;
}

export const flashStart = 0x0800_0000;
export const kibibyte = 1_024;
export const mebibyte = 1_048_576;

export function isIn({ start, length }: StmRange, address: number): boolean {
  return address >= start && address < start + length;
}
