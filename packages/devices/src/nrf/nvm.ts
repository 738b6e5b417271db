/**
 * The flash inside an nRF52. It is erased in pages and written in words. Source: nRF52840 Product Specification,
 * chapter "NVMC — Non-volatile memory controller".
 */
import { TimedFlash } from '../flash/timed-flash.ts';
import type { Random } from '../random.ts';
import { type NvmTimes, pageSize } from './boards.ts';

const wordSize = 4;

export class Nvm extends TimedFlash {
  readonly times: NvmTimes;

  /** Creates erased flash of `size` bytes. */
  constructor(size: number, times: NvmTimes, random: Random) {
    super({ size, erased: 0xff, unit: wordSize, random });
    this.times = times;
  }

  /** Erases the pages that begin at or after `offset`, a multiple of a page, and before `end`. */
  erase(at: number, offset: number, end: number): void {
    for (let page = offset; page < end; page += pageSize) {
      this.run(at, { offset: page, length: pageSize, data: null, duration: this.times.page });
    }
  }

  /** Writes `data` word by word. The caller must not change `data` afterwards. */
  program(at: number, offset: number, data: Uint8Array): void {
    const duration = Math.ceil(data.length / wordSize) * this.times.word;
    this.run(at, { offset, length: data.length, data, duration });
  }
}
