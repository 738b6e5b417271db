/**
 * Reception of UF2 by the RP2350's drive: each family has its place by the partition table, sectors are erased by
 * address, and a status says what was not taken. Facts from RP2350 datasheet, section 5.5.3, and the published ROM
 * source.
 */
import type { Memories } from '../chip/memories.ts';
import { pageSize, sectorSize } from '../chip/spi-flash.ts';
import type { RebootRequest } from './boot-rom.ts';
import type { Target } from './resident-table.ts';
import type { Uf2Status } from './system-info.ts';
import { flashStart, type Task, type TaskSteps } from './tasks.ts';
import { parseUf2, payloadSize, type Uf2Block } from './uf2-reception.ts';
import { status, type Work, type Worker } from './worker.ts';

const flashEnd = 0x1200_0000;
const maxFlashBlocks = (flashEnd - flashStart) / pageSize;
const ramFamilies = { first: 0xe48b_ff57, last: 0xe48b_ff5a } as const;
const problem = { family: 0x01, locked: 0x10, address: 0x20, write: 0x40 } as const;
/** Milliseconds from the last block to the restart. */
const restartDelay = 500;

interface ReceptionContext {
  readonly memories: Memories;
  readonly worker: Worker;
  run(task: Task): Work;
  target(family: number): Target | null;
  reboot(request: RebootRequest): void;
  /** Ends the sector that `write` left open. */
  written(token: number, result: number): void;
}

interface Download {
  readonly family: number;
  readonly total: number;
  readonly isRam: boolean;
  /** Bytes from the start of flash to that of the partition. */
  readonly offset: number;
  readonly end: number;
  readonly isQuiet: boolean;
  readonly blocks: Set<number>;
  readonly erased: Set<number>;
  lowest: number;
  token: number;
}

export class Rp2350Uf2 {
  readonly #context: ReceptionContext;
  #download: Download | null = null;
  /** False: the next block starts a transfer, even of the same file. */
  #isValid = false;
  #problems = 0;

  constructor(context: ReceptionContext) {
    this.#context = context;
  }

  get status(): Uf2Status {
    const download = this.#download;
    return {
      flags: this.#problems,
      isRam: download?.isRam ?? false,
      isQuiet: download?.isQuiet ?? false,
      family: download?.family ?? 0,
      count: download?.blocks.size ?? 0,
      total: this.#isValid ? (download?.total ?? 0) : 0,
    };
  }

  reset(): void {
    this.#isValid = false;
  }

  /** Takes a sector. @returns True if `written` follows with `token`. */
  write(token: number, sector: Uint8Array): boolean {
    const block = parseUf2(sector);
    if (block === null) {
      return false;
    }
    if (this.#context.worker.isDisabled('drive')) {
      this.#problems |= problem.locked;
      this.#isValid = false;
      return false;
    }
    return this.#take(token, block);
  }

  #take(token: number, block: Uf2Block): boolean {
    const { memories } = this.#context;
    const { address, number, total, family } = block;
    const isRam = isInside(memories, address) && isInside(memories, address + payloadSize - 1);
    let steps: TaskSteps = { write: true };
    if (!this.#isValid || this.#download?.total !== total || this.#download.family !== family) {
      const begun = this.#begin(block, isRam);
      if (begun === null) {
        this.#problems |= problem.family;
        return false;
      }
      this.#problems = 0;
      this.#download = begun;
      this.#isValid =
        total <= (isRam ? memories.map.ramEnd - memories.map.ramStart : maxFlashBlocks * pageSize) / pageSize;
      steps = isRam ? steps : { write: true, exitXip: true, clearsMaps: true };
    }
    const download = this.#download;
    const to = address + (download?.offset ?? 0);
    const isFlash = address >= flashStart && address + payloadSize - 1 <= flashEnd && to % pageSize === 0;
    const fits = download?.isRam === isRam && (isRam || (isFlash && to < (download?.end ?? 0)));
    if (download === null || !this.#isValid || !fits || number >= total) {
      this.#problems |= problem.address;
      this.#isValid = false;
      return false;
    }
    download.token = token;
    return this.#store(download, to, block, steps);
  }

  #begin({ family, total }: Uf2Block, isRam: boolean): Download | null {
    const target = isRam ? null : this.#context.target(family);
    const isTaken = isRam ? family >= ramFamilies.first && family <= ramFamilies.last : target !== null;
    if (!isTaken) {
      return null;
    }
    const location = target?.location ?? 0;
    return {
      family,
      total,
      isRam,
      offset: (location & 0x1fff) * sectorSize,
      end: flashStart + (((location >>> 13) & 0x1fff) + 1) * sectorSize,
      isQuiet: ((target?.flags ?? 0) & 0x2000) !== 0,
      blocks: new Set(),
      erased: new Set(),
      lowest: Number.POSITIVE_INFINITY,
      token: 0,
    };
  }

  #store(download: Download, address: number, { number, data }: Uf2Block, steps: TaskSteps): boolean {
    if (download.blocks.has(number)) {
      return false;
    }
    download.blocks.add(number);
    download.lowest = Math.min(download.lowest, address);
    const sector = address - (address % sectorSize);
    const isFirst = !download.isRam && !download.erased.has(sector);
    download.erased.add(sector);
    const { worker, run } = this.#context;
    const task: Task = {
      steps: isFirst ? { ...steps, erase: { address: sector, size: sectorSize } } : steps,
      source: 'drive',
      address,
      data,
      length: pageSize,
      checksSource: false,
    };
    const { token } = download;
    worker.queue('drive', { start: () => run(task), done: (result) => this.#stored(download, token, result) });
    return true;
  }

  #stored(download: Download, token: number, result: number): void {
    const { reboot, written } = this.#context;
    if (download.token === token) {
      if (result !== status.ok) {
        this.#problems |= problem.write;
      } else if (download.blocks.size === download.total && !download.isQuiet) {
        reboot(
          download.isRam
            ? { kind: 'ram-image', address: download.lowest, delay: restartDelay }
            : { kind: 'normal', delay: restartDelay },
        );
      }
    }
    written(token, result);
  }
}

function isInside({ map }: Memories, address: number): boolean {
  return (address >= map.ramStart && address < map.ramEnd) || (address >= map.cacheStart && address < map.cacheEnd);
}
