/** A connected board over USB: serialises calls, gets it to answer again after a fault, and closes the device at the end. */
import type { WorkOptions } from '../../core/board.ts';
import { type BoardCalls, memoryCalls } from '../../core/board-calls.ts';
import { addressText, isErased } from '../../core/bytes.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../../core/region.ts';
import { untilGone } from '../../core/until-gone.ts';
import { isUnplugged } from '../../port-failure.ts';
import { exclusiveAccess, reboot, reboot2 } from '../picoboot/commands.ts';
import { blocksOf, type FlashMemory, inFlight } from '../picoboot/flash-memory.ts';
import type { RpBoard, RpInfo, RpWriteOptions, RpWriteReport } from '../rp-board.ts';
import { asRpError, RpError } from '../rp-failure.ts';
import { retryOn, writeRegions } from '../write/write-regions.ts';
import { boardPartitions } from './board-partitions.ts';
import { findUsers } from './find-users.ts';

/** Bytes that one command erases. A cancel waits for those that are under way. */
const ERASED = 8 * sectorSize;
const AHEAD = 1;

const never = new AbortController().signal;

export class ConnectedRp implements RpBoard {
  readonly over: AbortSignal;
  readonly #memory: FlashMemory;
  readonly #closed = new AbortController();
  /** False for a board that said nothing of partitions when it was connected: it is not asked again. */
  readonly #tellsPartitions: boolean;
  readonly #calls: BoardCalls;
  #info: RpInfo;
  #works = false;
  /** True: flash was changed since its partition table was read. */
  #isTableOld = false;

  constructor(memory: FlashMemory, info: RpInfo) {
    this.#memory = memory;
    this.#info = info;
    this.#tellsPartitions = info.partitions !== null;
    this.#calls = memoryCalls(memory.link.over, asRpError);
    this.over = AbortSignal.any([memory.link.over, this.#closed.signal]);
  }

  get info(): RpInfo {
    return this.#isTableOld ? { ...this.#info, partitions: null } : this.#info;
  }

  read(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<Uint8Array> {
    return this.#inStep(signal, () =>
      retryOn(this.#memory, signal, () => this.#memory.readAll(range, signal, onProgress)),
    );
  }

  erase(ranges: readonly FlashRange[] | null, { signal = never, onProgress }: WorkOptions = {}): Promise<void> {
    return this.#inStep(signal, async () => {
      if (ranges === null && this.#memory.size === null) {
        throw new RpError('flash-size-unknown');
      }
      this.#isTableOld = true;
      const blocks = (ranges ?? [this.#memory.range]).flatMap((range) => blocksOf(range, ERASED));
      const total = blocks.reduce((sum, { length }) => sum + length, 0);
      let done = 0;
      let finished = 0;
      const eraseBlock = async (block: FlashRange) => {
        this.#calls.erased = true;
        const erased = this.#memory.erase(block);
        const [, found] = await Promise.all([erased, this.#memory.read(block)]);
        return found;
      };
      const work = () =>
        inFlight(blocks.slice(finished), AHEAD, signal, eraseBlock, (found, block) => {
          if (!isErased(found)) {
            const at = block.offset + found.findIndex((byte) => byte !== 0xff);
            throw new RpError('erase-failed', { detail: `${addressText(at)} is not empty.` });
          }
          finished++;
          done += block.length;
          onProgress?.(done, total);
        });
      await retryOn(this.#memory, signal, work, () => finished);
      await this.#look(signal);
    });
  }

  write(regions: readonly FlashRegion[], options: RpWriteOptions = {}): Promise<RpWriteReport> {
    const { signal = never } = options;
    return this.#inStep(signal, async () => {
      this.#isTableOld = true;
      const report = await writeRegions(this.#memory, regions, options, signal);
      this.#calls.erased = false;
      return report;
    });
  }

  look(signal: AbortSignal = never): Promise<void> {
    return this.#inStep(signal, () => this.#look(signal));
  }

  async lookAtTable(signal: AbortSignal): Promise<void> {
    if (this.#isTableOld) {
      await this.#inStep(signal, () => this.#lookAtTable(signal));
    }
  }

  restart(): Promise<void> {
    return this.#inStep(never, async () => {
      const command = this.#info.chip === 'RP2040' ? reboot : reboot2;
      try {
        await retryOn(this.#memory, this.over, () => this.#memory.link.run(command));
      } catch (error) {
        // A restart that comes before its acknowledgement is one all the same.
        if (!isUnplugged(error) && !(error instanceof RpError && error.code === 'unplugged')) {
          throw error;
        }
      }
      this.#calls.end('The board has left its boot ROM.');
      await untilGone(this.#memory.link.over, this.#memory.link.clock);
    });
  }

  async close(): Promise<void> {
    const { link } = this.#memory;
    if (!this.over.aborted && !this.#works && !link.needsRecovery) {
      // Otherwise the drive swallows every file until the board is plugged in again.
      await link.run(exclusiveAccess('release')).catch(() => undefined);
    }
    this.#closed.abort(new DOMException('The board is closed.', 'AbortError'));
    await link.close();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const users = await retryOn(this.#memory, signal, () => findUsers(this.#memory, signal));
    this.#info = { ...this.#info, flashSize: this.#memory.size, users };
    await this.#lookAtTable(signal);
  }

  async #lookAtTable(signal: AbortSignal): Promise<void> {
    const partitions = this.#tellsPartitions ? await boardPartitions(this.#memory, this.#info, signal) : null;
    this.#info = { ...this.#info, partitions };
    this.#isTableOld = false;
  }

  /** Runs a call. After an earlier fault or cancel, the ROM is brought back into step first. */
  #inStep<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.#calls.run(signal, async () => {
      this.#works = true;
      try {
        if (this.#memory.link.needsRecovery) {
          await this.#memory.link.recover();
        }
        return await work();
      } finally {
        this.#works = false;
      }
    });
  }
}
