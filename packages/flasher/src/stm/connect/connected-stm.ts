/** A connected board over either link: serialises calls, recovers after a fault, and closes the port at the end. */
import type { WorkOptions } from '../../core/board.ts';
import { type BoardCalls, memoryCalls } from '../../core/board-calls.ts';
import { addressText, isFilledWith } from '../../core/bytes.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { sectorsIn } from '../../core/sector-cover.ts';
import type { Loader } from '../loader.ts';
import { flashStart, type Sector } from '../parts/flash-layout.ts';
import type { StmBoard, StmInfo, StmWriteOptions, StmWriteReport } from '../stm-board.ts';
import { asStmError, StmError } from '../stm-failure.ts';
import { mustBeOpen } from '../write/check-write.ts';
import { readRange } from '../write/flash-memory.ts';
import { retryOn } from '../write/stm-retry.ts';
import { writeRegions } from '../write/write-regions.ts';
import type { KnownBoard } from './identify.ts';

/**
 * Erased sectors that are checked afterwards, because a bootloader reports success for a protected one (AN3155
 * section 3.7).
 */
const SAMPLES = 16;
const SAMPLE_BYTES = 64;

const never = new AbortController().signal;

export class ConnectedStm implements StmBoard {
  readonly over: AbortSignal;
  readonly #loader: Loader;
  readonly #board: KnownBoard;
  readonly #closed = new AbortController();
  readonly #calls: BoardCalls;
  /** True: the bootloader may be in the middle of a command. */
  #outOfStep = false;

  constructor(loader: Loader, board: KnownBoard) {
    this.#loader = loader;
    this.#board = board;
    this.#calls = memoryCalls(loader.over, asStmError);
    this.over = AbortSignal.any([loader.over, this.#closed.signal]);
  }

  get info(): StmInfo {
    return this.#board.info;
  }

  get baudRate(): number | null {
    return this.#loader.baudRate;
  }

  read(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<Uint8Array> {
    return this.#inStep(signal, () => {
      mustBeOpen(this.info);
      return readRange(this.#loader, range, { signal, onProgress });
    });
  }

  erase(ranges: readonly FlashRange[] | null, { signal = never, onProgress }: WorkOptions = {}): Promise<void> {
    return this.#inStep(signal, async () => {
      mustBeOpen(this.info);
      const { sectors, massErase } = this.#board;
      const isWhole = ranges === null && massErase && this.#loader.eraseAll !== null;
      if (sectors.length === 0 && !isWhole) {
        throw new StmError('unknown-part', { detail: this.info.name });
      }
      const chosen = ranges === null ? sectors : sectorsIn(sectors, ranges, StmError);
      const total = lengthOf(chosen);
      this.#calls.erased = true;
      if (isWhole) {
        await retryOn(this.#loader, signal, async () => this.#loader.eraseAll?.(signal, lengthOf(sectors)));
      } else {
        await this.#eraseSectors(chosen, signal, (done) => onProgress?.(done, total));
      }
      await this.#mustBeEmpty(chosen, signal);
      onProgress?.(total, total);
    });
  }

  write(regions: readonly FlashRegion[], options: StmWriteOptions = {}): Promise<StmWriteReport> {
    const { signal = never } = options;
    return this.#inStep(signal, async () => {
      const report = await writeRegions(this.#loader, this.#board, regions, options, signal);
      this.#calls.erased = false;
      return report;
    });
  }

  removeReadProtection({ signal = never }: WorkOptions = {}): Promise<void> {
    return this.#inStep(signal, async () => {
      if (this.info.protection === 'none') {
        throw new DOMException('This board is not read-protected.', 'InvalidStateError');
      }
      this.#calls.erased = true;
      await this.#loader.removeReadProtection(signal, lengthOf(this.#board.sectors));
      this.#calls.end('The board has left its bootloader.');
    });
  }

  removeWriteProtection({ signal = never }: WorkOptions = {}): Promise<void> {
    return this.#inStep(signal, async () => {
      const { removeWriteProtection } = this.#loader;
      if (removeWriteProtection === null) {
        throw new DOMException('This bootloader cannot remove a write protection.', 'InvalidStateError');
      }
      mustBeOpen(this.info);
      await removeWriteProtection(signal);
      this.#calls.end('The board has left its bootloader.');
    });
  }

  restart(address?: number): Promise<void> {
    return this.#inStep(never, async () => {
      const place = address ?? (this.#board.startsByGo ? flashStart : null);
      await retryOn(this.#loader, this.over, () => this.#loader.start(place, this.over));
      this.#calls.end('The board has left its bootloader.');
    });
  }

  async close(): Promise<void> {
    this.#closed.abort(new DOMException('The board is closed.', 'AbortError'));
    await this.#loader.close();
  }

  async #eraseSectors(sectors: readonly Sector[], signal: AbortSignal, tell: (bytes: number) => void): Promise<void> {
    let erased = 0;
    // Sectors that were erased before a fault are not erased again.
    await retryOn(this.#loader, signal, () => {
      const before = erased;
      return this.#loader.erase(sectors.slice(before), signal, (done) => {
        erased = before + done;
        tell(lengthOf(sectors.slice(0, erased)));
      });
    });
  }

  /** @throws StmError `write-protected` if a sector is not empty. */
  async #mustBeEmpty(sectors: readonly Sector[], signal: AbortSignal): Promise<void> {
    const step = Math.max(1, Math.floor(sectors.length / SAMPLES));
    for (let index = 0; index < sectors.length; index += step) {
      const { offset = 0, length = 0 } = sectors[index] ?? {};
      const sample = { offset, length: Math.min(length, SAMPLE_BYTES) };
      const isEmpty = async () =>
        isFilledWith(await readRange(this.#loader, sample, { signal }), this.info.erasedValue);
      // Reads have no checksum, so only a repeated difference counts.
      if (!(await isEmpty()) && !(await isEmpty())) {
        throw new StmError('write-protected', { detail: `${addressText(offset)} is not empty.` });
      }
    }
  }

  /** Runs a call. After an earlier fault or cancel, the bootloader is resynchronised first. */
  #inStep<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.#calls.run(signal, async () => {
      const sentBefore = this.#loader.sent;
      try {
        if (this.#outOfStep) {
          await this.#loader.recover(1, signal);
          this.#outOfStep = false;
        }
        return await work();
      } catch (error) {
        this.#outOfStep ||= this.#loader.sent > sentBefore;
        throw error;
      }
    });
  }
}

function lengthOf(sectors: readonly FlashRange[]): number {
  return sectors.reduce((sum, { length }) => sum + length, 0);
}
