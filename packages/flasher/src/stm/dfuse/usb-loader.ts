/** The bootloader over USB (AN3156): blocks are relative to an address pointer, erases have addresses. */
import type { Clock } from '@wirebench/clock';
import { hexNumber } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import { isUnplugged } from '../../port-failure.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { deadlines, eraseAllLimit, eraseLimit, writeLimit } from '../deadlines.ts';
import type { Loader, TakeBlock } from '../loader.ts';
import { flashStart, type Sector } from '../parts/flash-layout.ts';
import { readOneByOne } from '../read-blocks.ts';
import { StmError } from '../stm-failure.ts';
import type { DfuLink } from './dfu-link.ts';
import { commandBytes, commands, firstDataBlock, states, statuses } from './requests.ts';

/** Highest block number, which has 16 bits. */
const LAST_BLOCK = 0xffff;
/** Least bytes of one upload (AN3156 section 4.1). */
const LEAST = 2;

export class UsbLoader implements Loader {
  readonly clock: Clock;
  readonly baudRate = null;
  readonly blockSize: number;
  readonly checksum = null;
  readonly removeWriteProtection = null;
  readonly eraseAll: (signal: AbortSignal, size?: number) => Promise<void>;
  readonly #link: DfuLink;
  /** Address of block 2 of an upload; null if the pointer has moved or is unknown. */
  #uploadBase: number | null = null;
  /** Current kind of transfers. The other kind can begin only from idle. */
  #mode: 'idle' | 'download' | 'upload' | 'unknown' = 'unknown';

  /** @param blockSize Transfer size of the functional descriptor, in bytes. */
  constructor(link: DfuLink, blockSize: number) {
    this.clock = link.clock;
    this.#link = link;
    this.blockSize = blockSize;
    this.eraseAll = (signal, size) =>
      this.#command(commandBytes(commands.erase), 'erase everything', eraseAllLimit(size), signal);
  }

  get over(): AbortSignal {
    return this.#link.over;
  }

  get sent(): number {
    return this.#link.sent;
  }

  readBlocks(blocks: Iterable<FlashRange>, signal: AbortSignal, take: TakeBlock): Promise<void> {
    return readOneByOne(this, blocks, signal, take);
  }

  async read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    if (length < LEAST) {
      const even = address - (address % LEAST);
      return (await this.read(even, LEAST, signal)).subarray(address - even, address - even + length);
    }
    const what = `read at ${hexNumber(address, 8)}`;
    const block = await this.#uploadBlock(address, signal);
    this.#mode = 'unknown';
    const bytes = await this.#link.upload(block, length, 'refused', what, signal);
    // A short block ends an upload (DFU section 6.2).
    this.#mode = bytes.length === length ? 'upload' : 'idle';
    if (bytes.length !== length) {
      throw new StmError('read-failed', { detail: `Received ${bytes.length} of ${length} bytes: ${what}.` });
    }
    return bytes;
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal, written: (done: number) => void): Promise<void> {
    await this.#setAddress(address, signal);
    for (let at = 0; at < bytes.length; at += this.blockSize) {
      const block = firstDataBlock + at / this.blockSize;
      // A copy, because WebUSB refuses shared memory and the bytes must not change during the transfer.
      const part = bytes.slice(at, at + this.blockSize);
      const what = `write at ${hexNumber(address + at, 8)}`;
      this.#mode = 'unknown';
      await this.#link.download(block, part, 'write-failed', what, writeLimit(part.length), signal);
      this.#mode = 'download';
      written(at + part.length);
    }
  }

  async erase(sectors: readonly Sector[], signal: AbortSignal, erased: (done: number) => void): Promise<void> {
    for (const [index, { offset, length }] of sectors.entries()) {
      const limit = eraseLimit([length]);
      await this.#command(commandBytes(commands.erase, offset), `erase at ${hexNumber(offset, 8)}`, limit, signal);
      erased(index + 1);
    }
  }

  /**
   * Removes the read protection (AN3156 section 5.4). The device erases, disconnects and resets; its status before
   * that is busy.
   */
  async removeReadProtection(signal: AbortSignal): Promise<void> {
    await this.#enterDownload(signal);
    try {
      const what = 'remove the read protection';
      const status = await this.#link.downloadOnce(0, commandBytes(commands.readUnprotect), what, signal);
      if (status !== null && (status.status !== statuses.ok || status.state !== states.downloadBusy)) {
        throw new StmError('erase-failed', { detail: `Refused with status ${hexNumber(status.status)}: ${what}.` });
      }
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
    }
  }

  /**
   * Starts a program (AN3156 section 5.5). An empty block and a status request make the device leave DFU mode and
   * jump to the address pointer.
   */
  async start(address: number | null, signal: AbortSignal): Promise<void> {
    await this.#setAddress(address ?? flashStart, signal);
    try {
      await this.#link.downloadOnce(0, new Uint8Array(0), 'start the program', signal);
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
    }
  }

  async recover(_attempt: number, signal: AbortSignal): Promise<void> {
    const isIdle = await inTime(this.clock, this.#link.backlog + recoveryLimit, signal, async (limit) => {
      await this.#toIdle(limit);
      return true;
    });
    if (isIdle === null) {
      throw new StmError('stopped-answering');
    }
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** Returns the number of the block at `address`, and sets the pointer first if needed. */
  async #uploadBlock(address: number, signal: AbortSignal): Promise<number> {
    const base = this.#uploadBase;
    if (base !== null && (this.#mode === 'upload' || this.#mode === 'idle')) {
      const distance = address - base;
      const block = firstDataBlock + distance / this.blockSize;
      if (distance >= 0 && distance % this.blockSize === 0 && block <= LAST_BLOCK) {
        return block;
      }
    }
    await this.#setAddress(address, signal);
    await this.#toIdle(signal);
    this.#uploadBase = address;
    return firstDataBlock;
  }

  #setAddress(address: number, signal: AbortSignal): Promise<void> {
    const what = `go to ${hexNumber(address, 8)}`;
    return this.#command(commandBytes(commands.setAddress, address), what, deadlines.acknowledge, signal);
  }

  async #command(bytes: Uint8Array<ArrayBuffer>, what: string, limit: number, signal: AbortSignal): Promise<void> {
    await this.#enterDownload(signal);
    this.#mode = 'unknown';
    const refusal = bytes[0] === commands.setAddress ? 'outside-flash' : 'erase-failed';
    await this.#link.download(0, bytes, refusal, what, limit, signal);
    this.#mode = 'download';
  }

  async #enterDownload(signal: AbortSignal): Promise<void> {
    this.#uploadBase = null;
    if (this.#mode !== 'download' && this.#mode !== 'idle') {
      await this.#toIdle(signal);
    }
  }

  async #toIdle(signal: AbortSignal): Promise<void> {
    this.#mode = 'unknown';
    await this.#link.toIdle(signal);
    this.#mode = 'idle';
  }
}

/** Returns true if the device has left, as it was requested to. */
function isGone(error: unknown): boolean {
  return isUnplugged(error) || (error instanceof StmError && error.code === 'stopped-answering');
}
