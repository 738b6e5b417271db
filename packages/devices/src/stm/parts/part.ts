/**
 * The differences between the STM32 parts that their bootloaders show. Each part has a file with its facts. Sources,
 * unless a constant names others:
 *
 * - AN2606 "STM32 microcontroller system memory boot mode": Table 3 (protocol versions, bootloader IDs), Table 7
 *   (alignment), Table 226 (product ID, RAM, system memory), Table 227 (start-up times).
 * - The part's reference manual: memory map, option bytes, registers.
 * - Its data sheet, "Flash memory characteristics".
 *
 * Product IDs, RAM and system memory agree with the table of stm32flash 0.7.
 */

/** `length` bytes from address `start` on. */
export interface StmRange {
  readonly start: number;
  readonly length: number;
}

/** Durations in milliseconds. */
export interface StmFlashTimes {
  /** To program one unit. */
  readonly program: number;
  /** To erase one page or sector, by its size in bytes. */
  readonly erase: Readonly<Record<number, number>>;
  /** To erase one bank. */
  readonly massErase: number;
}

interface StmFlashFacts {
  /** Flash sizes of the simulated members of the family in bytes, the usual one first. */
  readonly sizes: readonly number[];
  /**
   * Erasable pages or sectors from 0x08000000 on: runs of equal sizes in bytes. Smaller flashes end within the list.
   */
  readonly layout: readonly { readonly count: number; readonly size: number }[];
  readonly banks: 1 | 2;
  readonly erased: 0x00 | 0xff;
  /** Size in bytes of the smallest programmable piece. All its bytes must be erased before. */
  readonly unit: number;
  /** Bytes that are programmed in the time of one unit if aligned. On most parts one unit. */
  readonly burst: number;
  /**
   * Result of programming a unit that is not erased. `clears-bits`: bits change only to 0. `refused`: nothing is
   * programmed, unless the new content is all 0. Parts whose erased flash is 0 lack that exception.
   */
  readonly rewrite: 'clears-bits' | 'refused';
  /** The start address of a write must be a multiple of this. */
  readonly alignment: 4 | 8;
  /** Typical figures, for `real-flash`. */
  readonly times: StmFlashTimes;
  /** Maximum figures of the same tables, for `slow-flash`. */
  readonly slowest: StmFlashTimes;
}

/** Layout of option bytes: each value is followed by its complement, both with this many bytes. `none`: values only. */
type ComplementWidth = 'none' | 1 | 2 | 4;

/** Position of the write protection in the option bytes. */
type WriteProtectionFacts =
  /** One bit for every `pages` pages, in the value bytes at these offsets. `protectedBit` marks protected ones. */
  | {
      readonly kind: 'bits';
      readonly pages: number;
      readonly offsets: readonly number[];
      readonly protectedBit: 0 | 1;
    }
  /** Two bytes at these offsets: first and last page of an area. The area is empty if first > last. */
  | { readonly kind: 'area'; readonly first: number; readonly last: number };

export interface StmOptionFacts {
  /** The areas. Offsets count through all of them. */
  readonly ranges: readonly StmRange[];
  readonly complement: ComplementWidth;
  /** Factory values as `[offset, value]`; all others are 0xff. Complements are added automatically. */
  readonly values: readonly (readonly [offset: number, value: number])[];
  /** Offset of the byte of read protection, and its value at level 0. */
  readonly protection: { readonly offset: number; readonly none: 0xa5 | 0xaa };
  readonly writeProtection: WriteProtectionFacts;
  /** True: the part restarts after its bootloader has changed option bytes. */
  readonly restarts: boolean;
}

export interface StmUsbFacts {
  /** Names of the alternate settings, which describe the memories (UM0424, section 4.3.2). */
  readonly alternates: readonly string[];
  /** wTransferSize, in bytes. */
  readonly transferSize: number;
  /** bcdDevice. */
  readonly release: number;
}

export interface StmPart {
  /** Name for people, such as `STM32F407`. */
  readonly title: string;
  /** Answer of GetID. */
  readonly productId: number;
  /** Version of the USART protocol, the answer of GetVersion. 0x31 is V3.1. */
  readonly protocol: number;
  /** Identifier of the bootloader and its address; null for bootloaders without one. */
  readonly bootloaderId: { readonly address: number; readonly value: number } | null;
  /** Milliseconds from reset until the bootloader accepts input. */
  readonly startup: number;
  readonly flash: StmFlashFacts;
  /** RAM that the bootloader does not use itself. */
  readonly ram: readonly StmRange[];
  readonly systemMemory: StmRange;
  readonly otp: StmRange | null;
  /** Data EEPROM; null on parts without one. */
  readonly dataMemory: StmRange | null;
  readonly options: StmOptionFacts;
  /**
   * Address of the register with the flash size in KiB, 16 bits. `uniqueId`: addresses of the unique id's three
   * words.
   */
  readonly sizeRegister: number;
  readonly uniqueId: readonly [number, number, number];
  /**
   * True: a read may start at these registers, if they are outside the memories above. False: only a read that starts
   * before them can include them (stm32loader, `_get_flash_size_and_uid_bulk`).
   */
  readonly identityStarts: boolean;
  /** 0x43 Erase, or 0x44 Extended Erase. */
  readonly eraseCommand: 0x43 | 0x44;
  readonly massErase: boolean;
  /** True: two NACKs to Read Memory and Write Memory under read protection (AN2606, "Known limitations"). */
  readonly doubleNack: boolean;
  /** True: an empty flash starts the bootloader although BOOT0 is low, until option bytes are loaded again. */
  readonly emptyCheck: boolean;
  /** True: the width of programming can be set at 0xFFFF0000 (AN2606, Table 4). */
  readonly voltageRange: boolean;
  readonly usb: StmUsbFacts | null;
}

export const flashStart = 0x0800_0000;
export const kibibyte = 1_024;
export const mebibyte = 1_048_576;

export function isIn({ start, length }: StmRange, address: number): boolean {
  return address >= start && address < start + length;
}
