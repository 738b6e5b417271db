/**
 * A download into flash by the stub. It erases while it writes, in whole blocks if possible, and begins the next
 * erase while the host is still sending. Compressed data is written one deflate window at a time.
 */
import { Inflater } from '../inflater.ts';
import { blockSize, type NorFlash, sectorSize } from '../nor-flash.ts';
import { type StubStatus, stubStatus } from './stub-status.ts';

/** Bytes that the stub inflates before it writes: the window of deflate. */
const windowSize = 32_768;

export interface DownloadPlan {
  /** Bytes to write. `blocks` is the number of data blocks. */
  readonly size: number;
  readonly blocks: number;
  readonly offset: number;
  readonly compressed: boolean;
}

/** The result of a write, and its end in the clock's milliseconds. */
export interface Written {
  readonly status: StubStatus;
  readonly until: number;
}

export class StubDownload {
  readonly #flash: NorFlash;
  /** End of the flash as the stub knows it. Writes beyond it fail. */
  readonly #end: number;
  readonly #inflater: Inflater | null;
  readonly #window: Uint8Array;
  readonly #eraseEnd: number;
  #windowLength = 0;
  #remaining: number;
  #blocks: number;
  #offset: number;
  #nextErase: number;
  /** Encrypts data on its way into the flash; null: no encryption. */
  encrypt: ((offset: number, data: Uint8Array) => Uint8Array) | null = null;

  /** Begins the first erase without waiting for it. */
  constructor(flash: NorFlash, flashEnd: number, { size, blocks, offset, compressed }: DownloadPlan, now: number) {
    this.#flash = flash;
    this.#end = flashEnd;
    this.#remaining = size;
    this.#blocks = blocks;
    this.#offset = offset;
    this.#inflater = compressed ? new Inflater() : null;
    this.#window = new Uint8Array(compressed ? windowSize : 0);
    this.#nextErase = Math.floor(offset / sectorSize) * sectorSize;
    this.#eraseEnd = Math.ceil((offset + size) / sectorSize) * sectorSize;
    this.#eraseNext(now);
  }

  /** Announced bytes that have not been written yet. */
  get remaining(): number {
    return this.#remaining;
  }

  /** Writes an uncompressed block, without the bytes beyond the announced size. */
  store(payload: Uint8Array, now: number): Written {
    return this.#write(payload.subarray(0, Math.min(payload.length, this.#remaining)), now);
  }

  /** Inflates a block. Writes the window when it is full, or when it contains the last announced byte. */
  inflate(payload: Uint8Array, now: number): Written {
    const pieces = this.#inflater?.push(payload) ?? null;
    this.#blocks--;
    if (pieces === null) {
      return { status: stubStatus.inflate, until: now };
    }
    if (this.#flash.busyUntil <= now) {
      this.#eraseNext(now);
    }
    let written: Written = { status: stubStatus.good, until: now };
    for (const piece of pieces) {
      for (let taken = 0; taken < piece.length && written.status === stubStatus.good; ) {
        const part = piece.subarray(taken, taken + windowSize - this.#windowLength);
        this.#window.set(part, this.#windowLength);
        this.#windowLength += part.length;
        taken += part.length;
        if (this.#windowLength === windowSize || this.#windowLength === this.#remaining) {
          written = this.#flush(written.until);
          this.#eraseNext(written.until);
        }
      }
    }
    const ends = this.#blocks === 0 && this.#windowLength > 0 && written.status === stubStatus.good;
    return ends ? this.#flush(written.until) : written;
  }

  #flush(at: number): Written {
    const data = this.#window.slice(0, this.#windowLength);
    this.#windowLength = 0;
    return this.#write(data, at);
  }

  #write(data: Uint8Array, at: number): Written {
    if (data.length === 0) {
      return { status: stubStatus.good, until: at };
    }
    const end = this.#offset + data.length;
    if (end > this.#end) {
      return { status: stubStatus.flash, until: at };
    }
    while (this.#nextErase < Math.min(end, this.#eraseEnd)) {
      this.#eraseNext(at);
    }
    this.#flash.program(at, this.#offset, this.encrypt?.(this.#offset, data) ?? data);
    this.#offset = end;
    this.#remaining -= data.length;
    return { status: stubStatus.good, until: Math.max(at, this.#flash.busyUntil) };
  }

  #eraseNext(at: number): void {
    const next = this.#nextErase;
    if (next >= this.#eraseEnd || next >= this.#flash.size) {
      return;
    }
    const length = next % blockSize === 0 && this.#eraseEnd - next >= blockSize ? blockSize : sectorSize;
    this.#flash.erase(at, next, length);
    this.#nextErase = next + length;
  }
}
