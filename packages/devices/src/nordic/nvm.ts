/**
 * The flash inside of an nRF52, which is erased by pages and written by words.
 * Source: nRF52840 Product Specification, chapter "NVMC — Non-volatile memory controller".
 */
import { TimedFlash } from '../flash/timed-flash.ts';
import type { Random } from '../random.ts';
import { type NvmTimes, pageSize } from './boards.ts';

const wordSize = 4;

export class Nvm extends TimedFlash {
  readonly times: NvmTimes;

  /** Erased flash of `size` bytes. */
  constructor(size: number, times: NvmTimes, random: Random) {
    super({ size, erased: 0xff, unit: wordSize, random });
    this.times = times;
  }

  /** Erases the pages that begin from `offset` on and before `end`; `offset` is a multiple of a page. */
  erase(at: number, offset: number, end: number): void {
    for (let page = offset; page < end; page += pageSize) {
      this.run(at, { offset: page, length: pageSize, data: null, duration: this.times.page });
    }
  }

  /** Writes `data`, which must not be changed afterwards, word by word. */
  program(at: number, offset: number, data: Uint8Array): void {
    const duration = Math.ceil(data.length / wordSize) * this.times.word;
    this.run(at, { offset, length: data.length, data, duration });
  }
}
