/**
 * The drive of an RP2350 in BOOTSEL, by the published source of its boot ROM, revision A2 (`usb_virtual_disk.c`,
 * `varm_nsboot.c`). No recording of the genuine ROM is behind it. It erases by address, and begins to count again for each
 * other family or total.
 */
import { viewOf } from '../../core/bytes.ts';
import { type Uf2Block, uf2BlocksOf } from '../../images/formats/uf2.ts';
import { partitionFor, plainFamilies } from './check-rp-program.ts';
import type { DriveRun, DriveStep, IgnoredBecause } from './drive-rp2040.ts';
import { uf2PayloadSize } from './file-parts.ts';
import { flashStart, type RpBoardFacts, ramEnd } from './rp-firmware.ts';

const PAGE = uf2PayloadSize;
const SECTOR = 4_096;
const flashEnd = 0x1200_0000;
/** Most blocks of a file for flash and for RAM. */
const mostBlocks = { flash: 131_072, ram: 2_144 } as const;

/** Properties of the board on which the outcome depends. A table that was not read is taken for none. */
export type DriveBoard = Pick<RpBoardFacts, 'cpu' | 'partitionTable'>;

/** Copies a file to the drive of an RP2350. */
export function copyToRp2350(bytes: Uint8Array, board: DriveBoard): DriveRun {
  const drive = new Rp2350Drive(board);
  for (const block of uf2BlocksOf(bytes)) {
    drive.take(block);
  }
  return drive.run();
}

const isRam = (address: number) =>
  (address >= 0x2000_0000 && address < ramEnd) || (address >= 0x13ff_c000 && address < 0x1400_0000);

const isFlash = (address: number) => address >= flashStart && address <= flashEnd;

class Rp2350Drive {
  readonly #board: DriveBoard;
  readonly #steps: DriveStep[] = [];
  readonly #ignored = new Set<IgnoredBecause>();
  #restart: { readonly startsAt: number | null } | null = null;
  #family: number | null = null;
  #total = 0;
  #isRam = false;
  #offset = 0;
  #end = flashEnd;
  #numbers = new Set<number>();
  #erased = new Set<number>();
  #lowest = Number.POSITIVE_INFINITY;

  constructor(board: DriveBoard) {
    this.#board = board;
  }

  take(block: Uf2Block): void {
    const fault = this.#faultOf(block);
    if (fault !== null) {
      this.#ignored.add(fault);
    } else if (!this.#numbers.has(block.number)) {
      this.#numbers.add(block.number);
      this.#write(block);
    }
  }

  run(): DriveRun {
    let missing = 0;
    while (this.#numbers.has(missing)) {
      missing++;
    }
    return {
      steps: this.#steps,
      restarts: this.#restart !== null,
      startsAt: this.#restart?.startsAt ?? null,
      ignored: [...this.#ignored],
      counted: this.#numbers.size,
      total: this.#total,
      missing: this.#numbers.size < this.#total ? missing : null,
    };
  }

  #faultOf(block: Uf2Block): IgnoredBecause | null {
    const flags = viewOf(block.raw).getUint32(8, true);
    if ((flags & 0x1) !== 0) {
      return 'comment';
    }
    if ((flags & 0x2000) === 0) {
      return 'no-family';
    }
    if (block.size !== PAGE) {
      return 'size';
    }
    const family = viewOf(block.raw).getUint32(28, true);
    const isForRam = isRam(block.address) && isRam(block.address + PAGE - 1);
    const isForFlash = isFlash(block.address) && isFlash(block.address + PAGE - 1);
    if (block.total !== this.#total || family !== this.#family) {
      const fault = this.#begin(block, family, isForRam);
      if (fault !== null) {
        return fault;
      }
    }
    if (isForRam !== this.#isRam) {
      return 'mixed';
    }
    if (!(isForRam || isForFlash) || (!isForRam && block.address + this.#offset >= this.#end)) {
      return 'place';
    }
    if (block.number >= block.total) {
      return 'number';
    }
    return isForFlash && block.address % PAGE !== 0 ? 'address' : null;
  }

  /** Begins to count for another family or total, if the board takes the family. */
  #begin({ total }: Uf2Block, family: number, isForRam: boolean): IgnoredBecause | null {
    // Any board takes these families for RAM.
    const place = isForRam ? (plainFamilies.includes(family) ? 'anywhere' : null) : this.#placeFor(family);
    if (place === null) {
      return 'family';
    }
    this.#isRam = isForRam;
    this.#family = family;
    this.#offset = place === 'anywhere' ? 0 : place.offset;
    this.#end = place === 'anywhere' ? flashEnd : flashStart + place.offset + place.size;
    this.#numbers = new Set();
    this.#erased = new Set();
    this.#lowest = Number.POSITIVE_INFINITY;
    this.#total = total <= (isForRam ? mostBlocks.ram : mostBlocks.flash) ? total : 0;
    return this.#total === 0 ? 'too-many' : null;
  }

  #placeFor(family: number) {
    const { partitionTable, cpu } = this.#board;
    return partitionFor(family, partitionTable ?? 'none', cpu ?? 'arm');
  }

  #write({ address, data }: Uf2Block): void {
    this.#lowest = Math.min(this.#lowest, address);
    if (this.#restart !== null) {
      return;
    }
    if (this.#isRam) {
      this.#steps.push({ kind: 'ram', address });
    } else {
      const offset = address - flashStart + this.#offset;
      const sector = offset - (offset % SECTOR);
      if (!this.#erased.has(sector)) {
        this.#erased.add(sector);
        this.#steps.push({ kind: 'erase', offset: sector });
      }
      this.#steps.push({ kind: 'program', offset, bytes: data.subarray(0, PAGE) });
    }
    if (this.#numbers.size === this.#total) {
      this.#restart = { startsAt: this.#isRam ? this.#lowest : null };
    }
  }
}
