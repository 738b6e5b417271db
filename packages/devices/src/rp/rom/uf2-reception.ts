/**
 * Reception of UF2 by the RP2040's drive: sectors are recognised by their content wherever they are written, counted by
 * block number, and the board restarts when as many different numbers were written as the total says. Sectors of flash
 * are erased by block number ÷ 16, not by address. Facts from the published ROM source; the bit maps lie where the ROM
 * has them, in the XIP cache.
 */
import type { Memories } from '../chip/memories.ts';
import { pageSize, sectorSize } from '../chip/spi-flash.ts';
import { flashStart, type Task, type TaskSteps } from './tasks.ts';
import { status, type Worker } from './worker.ts';

const firstMagic = 0x0a32_4655;
const secondMagic = 0x9e5d_5157;
const lastMagic = 0x0ab1_6f30;
const flag = { notMainFlash: 0x1, family: 0x2000 } as const;
export const payloadSize = 256;
export const rp2040Family = 0xe48b_ff56;

/** Blocks of a program for RAM at most. */
const maxRamBlocks = 1_280;
/** A total of the counts that no block has: the next block starts a transfer. */
const noTransfer = 0;
const lowestUnknown = 0xffff_ffff;
/** Milliseconds that the ROM asks the watchdog for after the last block. */
const restartDelay = 1_000;

export interface Uf2Block {
  readonly family: number;
  readonly address: number;
  readonly number: number;
  readonly total: number;
  readonly data: Uint8Array;
}

/** Bits in memory, 32 to a word. */
interface BitMap {
  readonly bytes: Uint8Array;
  readonly count: number;
}

interface ReceptionContext {
  readonly memories: Memories;
  readonly worker: Worker;
  run(task: Task): ReturnType<Parameters<Worker['queue']>[1]['start']>;
  reboot(pc: number, sp: number, delay: number): void;
  /** Ends the sector that `write` left open. */
  written(token: number, result: number): void;
}

export class Uf2Reception {
  readonly #context: ReceptionContext;
  readonly #ramBlocks: BitMap = { bytes: new Uint8Array(maxRamBlocks / 8), count: maxRamBlocks };
  readonly #flashBlocks: BitMap;
  readonly #erased: BitMap;
  #total = noTransfer;
  #count = 0;
  #isRam = false;
  #lowest = lowestUnknown;
  #token = 0;

  constructor(context: ReceptionContext) {
    this.#context = context;
    const { cache } = context.memories;
    // The maps fill the cache: one bit for each block, and one for each 16 blocks.
    const blocks = Math.floor((cache.length * 8 * sectorSize) / (pageSize + sectorSize)) & ~31;
    const erased = (blocks * pageSize) / sectorSize;
    this.#flashBlocks = { bytes: cache.subarray(0, blocks / 8), count: blocks };
    this.#erased = { bytes: cache.subarray(blocks / 8, blocks / 8 + Math.floor(erased / 8)), count: erased };
  }

  /** Forgets the transfer: the next block starts another. */
  reset(): void {
    this.#total = noTransfer;
  }

  /**
   * Takes a sector.
   *
   * @returns True if `written` follows with `token`. False if the sector is done: it was no block that the ROM takes.
   */
  write(token: number, sector: Uint8Array): boolean {
    const parsed = parseUf2(sector);
    const block = parsed?.family === rp2040Family ? parsed : null;
    const steps = block === null ? null : this.#begin(block);
    if (block === null || steps === null) {
      return false;
    }
    this.#token = token;
    return this.#store(block, steps);
  }

  /** @returns The steps of the write, or null if the block is ignored. The transfer is then forgotten. */
  #begin({ address, number, total }: Uf2Block): TaskSteps | null {
    const { memories, worker } = this.#context;
    const end = address + payloadSize - 1;
    const isRam = memories.isRam(address) && memories.isRam(end);
    const isFlash = address >= flashStart && end <= 0x2000_0000;
    const before = this.#total;
    this.#total = noTransfer;
    const isGarbage = total === 0 || !(isRam || isFlash) || (isFlash && address % pageSize !== 0);
    if (isGarbage || worker.isDisabled('drive')) {
      return null;
    }
    let steps: TaskSteps = { write: true };
    if (before !== total) {
      this.#isRam = isRam;
      this.#count = 0;
      this.#lowest = lowestUnknown;
      this.#blocks.bytes.fill(0);
      if (isFlash) {
        this.#erased.bytes.fill(0);
        steps = { write: true, exitXip: true, clearsMaps: true };
      }
      if (total > this.#blocks.count) {
        return null;
      }
    }
    if (isRam !== this.#isRam || number >= total) {
      return null;
    }
    this.#total = total;
    return steps;
  }

  get #blocks(): BitMap {
    return this.#isRam ? this.#ramBlocks : this.#flashBlocks;
  }

  #store({ address, number, data }: Uf2Block, steps: TaskSteps): boolean {
    if (!setBit(this.#blocks, number)) {
      return false;
    }
    const { worker, run } = this.#context;
    this.#noteLowest(address);
    const isFirst = !this.#isRam && setBit(this.#erased, Math.floor((number * pageSize) / sectorSize));
    const erase = { address: address & ~(sectorSize - 1), size: sectorSize };
    const task: Task = {
      steps: isFirst ? { ...steps, erase } : steps,
      source: 'drive',
      address,
      data,
      length: pageSize,
      checksSource: false,
    };
    this.#count++;
    const token = this.#token;
    worker.queue('drive', { start: () => run(task), done: (result) => this.#stored(token, result) });
    return true;
  }

  /** Keeps the lowest address, where a program in RAM outranks one in the cache. */
  #noteLowest(address: number): void {
    const { ramStart } = this.#context.memories.map;
    const isCache = address < ramStart;
    const isLowestCache = this.#lowest < ramStart;
    if ((address < this.#lowest && isCache === isLowestCache) || (isLowestCache && !isCache)) {
      this.#lowest = address;
    }
  }

  #stored(token: number, result: number): void {
    const { memories, reboot, written } = this.#context;
    if (token === this.#token && result === status.ok && this.#count === this.#total) {
      reboot(this.#isRam ? this.#lowest : 0, memories.map.ramEnd, restartDelay);
    }
    written(token, result);
  }
}

/** Sets a bit. @returns False if it was set before. */
function setBit({ bytes }: BitMap, index: number): boolean {
  const at = index >> 3;
  const mask = 1 << (index & 7);
  const byte = bytes[at] ?? 0;
  bytes[at] = byte | mask;
  return (byte & mask) === 0;
}

/** Returns a block that a ROM looks at: with a family, for flash or RAM, and with 256 bytes of data. */
export function parseUf2(sector: Uint8Array): Uf2Block | null {
  const view = new DataView(sector.buffer, sector.byteOffset, sector.length);
  const word = (index: number) => view.getUint32(index * 4, true);
  const isBlock = word(0) === firstMagic && word(1) === secondMagic && word(127) === lastMagic;
  const flags = word(2);
  const isTaken = (flags & flag.family) !== 0 && (flags & flag.notMainFlash) === 0 && word(4) === payloadSize;
  const data = sector.subarray(32, 32 + payloadSize);
  return isBlock && isTaken ? { family: word(7), address: word(3), number: word(5), total: word(6), data } : null;
}
