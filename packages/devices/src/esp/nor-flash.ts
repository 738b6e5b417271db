/**
 * A serial NOR flash chip. Sizes: data sheet of any such chip (page 256 bytes, sector 4 KiB, block 64 KiB). Times:
 * the profiles of `EspProfile`.
 */
import { TimedFlash } from '../flash/timed-flash.ts';
import type { Random } from '../random.ts';
import type { EspProfile } from './options.ts';

const pageSize = 256;
export const sectorSize = 4_096;
export const blockSize = 65_536;

interface NorTimes {
  readonly sector: number;
  readonly block: number;
  readonly page: number;
}

/** Milliseconds. Typical and longest times: Winbond W25Q32JV data sheet, section "AC Electrical Characteristics". */
const times = {
  'instant-flash': { sector: 0, block: 0, page: 0 },
  'real-flash': { sector: 45, block: 150, page: 0.4 },
  'slow-flash': { sector: 400, block: 2_000, page: 3 },
} satisfies Record<EspProfile, NorTimes>;

export class NorFlash extends TimedFlash {
  readonly #times: NorTimes;

  /** Creates an erased chip of `size` bytes. */
  constructor(size: number, profile: EspProfile, random: Random) {
    super({ size, erased: 0xff, unit: pageSize, random });
    this.#times = times[profile];
  }

  /**
   * Erases one sector or block, at the time `at` at the earliest and after the running operations.
   * @param length 4096 or 65536.
   * @param offset Multiple of `length`.
   */
  erase(at: number, offset: number, length: number): void {
    const duration = length === blockSize ? this.#times.block : this.#times.sector;
    this.run(at, { offset, length, data: null, duration });
  }

  /** Erases from `offset` to `end`, both multiples of 4096. Aligned whole blocks are erased at once. */
  eraseRange(at: number, offset: number, end: number): void {
    for (let next = offset; next < end; ) {
      const length = next % blockSize === 0 && end - next >= blockSize ? blockSize : sectorSize;
      this.erase(at, next, length);
      next += length;
    }
  }

  /**
   * Programs `data` page by page, at the time `at` at the earliest and after the running operations. The caller must
   * not change `data` afterwards.
   */
  program(at: number, offset: number, data: Uint8Array): void {
    const pages = Math.ceil(((offset % pageSize) + data.length) / pageSize);
    this.run(at, { offset, length: data.length, data, duration: pages * this.#times.page });
  }
}
