/**
 * The drive of an RP2040 in BOOTSEL (published source of its boot ROM, revision B1: `virtual_disk.c`, `async_task.c`;
 * recorded with the genuine ROM). It takes blocks from any sector in any order, and counts each number once.
 */
import { viewOf } from '../../core/bytes.ts';
import { type Uf2Block, uf2BlocksOf } from '../../images/formats/uf2.ts';
import { uf2PayloadSize } from './file-parts.ts';
import { rpFamily } from './rp-families.ts';
import { flashStart } from './rp-firmware.ts';

const PAGE = uf2PayloadSize;
const SECTOR = 4_096;
const ramStart = 0x2000_0000;
/** Ends are inclusive, as the ROM compares them. */
const ram = { start: ramStart, end: 0x2004_2000 };
const cache = { start: 0x1500_0000, end: 0x1500_4000 };
/** Most blocks of a file for flash (`FLASH_MAX_VALID_BLOCKS`) and for RAM (`MAX_RAM_UF2_BLOCKS`). */
const mostBlocks = { flash: 123_360, ram: 1_280 } as const;
/** One step of the drive. Offsets are counted from the start of flash; the flash chip wraps those beyond its end. */
export type DriveStep =
  | { readonly kind: 'erase'; readonly offset: number }
  /** Changes ones to zeros, as flash does. */
  | { readonly kind: 'program'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ram'; readonly address: number };

/** Reason for which the drive ignores a block. */
export type IgnoredBecause =
  | 'family'
  | 'no-family'
  | 'comment'
  | 'size'
  | 'place'
  | 'address'
  | 'number'
  | 'mixed'
  | 'too-many';

export interface DriveRun {
  readonly steps: readonly DriveStep[];
  readonly restarts: boolean;
  /** Address of the jump into RAM; null for a restart into flash, and without a restart. */
  readonly startsAt: number | null;
  /** Reasons for which blocks were ignored, each once. */
  readonly ignored: readonly IgnoredBecause[];
  /** Distinct blocks that were taken since the drive last began to count, and the number that it waits for. */
  readonly counted: number;
  readonly total: number;
  /** Lowest number that is missing; null if none is. */
  readonly missing: number | null;
}

const isRam = (address: number) =>
  (address >= ram.start && address <= ram.end) || (address >= cache.start && address <= cache.end);

const isFlash = (address: number) => address >= flashStart && address <= ramStart;

/** Copies a file to the drive of an RP2040. */
export function copyToRp2040(bytes: Uint8Array): DriveRun {
  const drive = new Rp2040Drive();
  for (const block of uf2BlocksOf(bytes)) {
    drive.take(block);
  }
  return drive.run();
}

class Rp2040Drive {
  readonly #steps: DriveStep[] = [];
  readonly #ignored = new Set<IgnoredBecause>();
  #restart: { readonly startsAt: number | null } | null = null;
  /** Zero: the drive waits for a first block. */
  #total = 0;
  /** Total of the blocks that were last counted; kept when the drive begins again. */
  #lastTotal = 0;
  #isRam = false;
  #numbers = new Set<number>();
  /** Numbers divided by 16: for the ROM, each stands for a sector. */
  #erased = new Set<number>();
  #lowest = 0xffff_ffff;

  take(block: Uf2Block): void {
    const fault = faultOf(block);
    if (fault !== null) {
      this.#ignored.add(fault);
      return;
    }
    const place = this.#begin(block);
    if (place !== null) {
      this.#ignored.add(place);
      // The ROM takes such a block for rubbish, and forgets what it has counted.
      this.#total = 0;
      return;
    }
    this.#write(block);
  }

  run(): DriveRun {
    const missing = this.#numbers.size < this.#lastTotal ? firstMissing(this.#numbers) : null;
    return {
      steps: this.#steps,
      restarts: this.#restart !== null,
      startsAt: this.#restart?.startsAt ?? null,
      ignored: [...this.#ignored],
      counted: this.#numbers.size,
      total: this.#lastTotal,
      missing,
    };
  }

  /** Counts from the start for another total. Returns the reason for which the block is rubbish; null if it is not. */
  #begin({ address, number, total }: Uf2Block): IgnoredBecause | null {
    const [isForRam, isForFlash] = [isRam, isFlash].map((isIn) => isIn(address) && isIn(address + PAGE - 1));
    if (total === 0) {
      return 'number';
    }
    if (!(isForRam || isForFlash)) {
      return 'place';
    }
    if (isForFlash && address % PAGE !== 0) {
      return 'address';
    }
    if (this.#total !== total) {
      this.#total = 0;
      this.#isRam = isForRam === true;
      this.#numbers = new Set();
      this.#erased = new Set();
      this.#lowest = 0xffff_ffff;
      if (total > (this.#isRam ? mostBlocks.ram : mostBlocks.flash)) {
        return 'too-many';
      }
      this.#total = total;
      this.#lastTotal = total;
    }
    if (isForRam !== this.#isRam) {
      return 'mixed';
    }
    return number < total ? null : 'number';
  }

  #write({ address, number, size, data }: Uf2Block): void {
    if (this.#numbers.has(number)) {
      return;
    }
    this.#noteLowest(address);
    this.#numbers.add(number);
    // Once a restart is due, the ROM writes nothing more.
    if (this.#restart === null) {
      this.#carryOut(address, number, data.subarray(0, size));
      if (this.#numbers.size === this.#total) {
        this.#restart = { startsAt: this.#isRam ? (this.#lowest | 1) >>> 0 : null };
      }
    }
  }

  #carryOut(address: number, number: number, bytes: Uint8Array): void {
    if (this.#isRam) {
      this.#steps.push({ kind: 'ram', address });
      return;
    }
    const offset = address - flashStart;
    const sixteen = Math.floor((number * PAGE) / SECTOR);
    if (!this.#erased.has(sixteen)) {
      this.#erased.add(sixteen);
      this.#steps.push({ kind: 'erase', offset: offset - (offset % SECTOR) });
    }
    this.#steps.push({ kind: 'program', offset, bytes });
  }

  /** An address in RAM goes before one in the memory of the cache, which is lower. */
  #noteLowest(address: number): void {
    const isCache = address < ramStart;
    const wasCache = this.#lowest < ramStart;
    if ((address < this.#lowest && isCache === wasCache) || (wasCache && !isCache)) {
      this.#lowest = address;
    }
  }
}

const flag = { notMainFlash: 0x1, familyPresent: 0x2000 } as const;

/** Looks at the fields before the place. The ROM knows no flag for contained files. */
function faultOf({ raw, size }: Uf2Block): IgnoredBecause | null {
  const flags = viewOf(raw).getUint32(8, true);
  if ((flags & flag.notMainFlash) !== 0) {
    return 'comment';
  }
  if ((flags & flag.familyPresent) === 0) {
    return 'no-family';
  }
  if (viewOf(raw).getUint32(28, true) !== rpFamily.rp2040) {
    return 'family';
  }
  return size === PAGE ? null : 'size';
}

function firstMissing(numbers: ReadonlySet<number>): number {
  let number = 0;
  while (numbers.has(number)) {
    number++;
  }
  return number;
}
