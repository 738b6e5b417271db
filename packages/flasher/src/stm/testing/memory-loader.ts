/** A bootloader that is a byte array, for tests of the writer, with optional faults. */
import { VirtualClock } from '@wirebench/clock';
import type { FlashRange } from '../../core/region.ts';
import { crcOfWords } from '../an3155/crc-words.ts';
import type { KnownBoard } from '../connect/identify.ts';
import type { Loader, TakeBlock } from '../loader.ts';
import { flashStart, pages, type Sector, sectorsOf } from '../parts/flash-layout.ts';
import { readOneByOne } from '../read-blocks.ts';
import { StmError } from '../stm-failure.ts';

export type LoaderStep = 'read' | 'write' | 'erase' | 'recover';

export interface MemoryLoaderOptions {
  readonly sectors?: readonly Sector[];
  readonly erasedValue?: number;
  readonly checksum?: boolean;
}

export class MemoryLoader implements Loader {
  readonly clock = new VirtualClock();
  readonly baudRate = 115_200;
  readonly over = new AbortController().signal;
  readonly blockSize = 256;
  readonly eraseAll = null;
  readonly removeWriteProtection = null;
  readonly checksum: Loader['checksum'];
  readonly board: KnownBoard;
  readonly memory: Uint8Array;
  /** Actions in order, such as `erase 0x8000000` or `write 0x8000000`. */
  readonly log: string[] = [];
  /** Codes of sectors that report success and do nothing. */
  readonly protectedCodes = new Set<number>();
  sent = 0;
  /** Virtual milliseconds per block. */
  blockTime = 0;
  /** Called before each step; an error that it throws fails the step. */
  fault: (step: LoaderStep, address: number) => void = () => undefined;
  /** Called with the bytes of each read, which it may damage. */
  misread: (address: number, bytes: Uint8Array) => void = () => undefined;

  constructor({
    sectors = sectorsOf(pages(1), 16_384),
    erasedValue = 0xff,
    checksum = false,
  }: MemoryLoaderOptions = {}) {
    const length = sectors.reduce((sum, sector) => sum + sector.length, 0);
    this.memory = new Uint8Array(length).fill(erasedValue);
    this.checksum = checksum ? async ({ offset, length: size }) => crcOfWords(this.at(offset, size)) : null;
    this.board = {
      info: {
        link: 'uart',
        productId: 0x410,
        name: 'a piece of memory',
        family: 'F1',
        model: 'stm32f',
        bootloaderVersion: '2.2',
        flashSize: length,
        sectors,
        erasedValue,
        protection: 'none',
        optionBytes: null,
        uniqueId: null,
      },
      sectors,
      granularity: 8,
      massErase: false,
      startsByGo: false,
    };
  }

  at(offset: number, length: number): Uint8Array {
    return this.memory.subarray(offset - flashStart, offset - flashStart + length);
  }

  async read(address: number, length: number): Promise<Uint8Array> {
    await this.clock.advance(this.blockTime);
    this.fault('read', address);
    const bytes = this.at(address, length).slice();
    this.misread(address, bytes);
    return bytes;
  }

  readBlocks(blocks: Iterable<FlashRange>, signal: AbortSignal, take: TakeBlock): Promise<void> {
    return readOneByOne(this, blocks, signal, take);
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal, written: (done: number) => void): Promise<void> {
    for (let at = 0; at < bytes.length; at += this.blockSize) {
      signal.throwIfAborted();
      const block = bytes.subarray(at, at + this.blockSize);
      await this.clock.advance(this.blockTime);
      this.fault('write', address + at);
      this.program(address + at, block);
      this.log.push(`write 0x${(address + at).toString(16)}`);
      this.sent += block.length;
      written(at + block.length);
    }
  }

  /** Programs bytes as flash does: bytes that are not erased are refused. */
  program(address: number, bytes: Uint8Array): void {
    const place = this.at(address, bytes.length);
    if (this.#isProtected(address)) {
      return;
    }
    if (place.some((byte) => byte !== this.board.info.erasedValue)) {
      throw new StmError('write-failed');
    }
    place.set(bytes);
  }

  async erase(sectors: readonly Sector[], signal: AbortSignal, erased: (done: number) => void): Promise<void> {
    for (const [index, { offset, length }] of sectors.entries()) {
      signal.throwIfAborted();
      this.fault('erase', offset);
      this.log.push(`erase 0x${offset.toString(16)}`);
      if (!this.#isProtected(offset)) {
        this.at(offset, length).fill(this.board.info.erasedValue);
      }
      erased(index + 1);
    }
  }

  async removeReadProtection(): Promise<void> {
    this.memory.fill(this.board.info.erasedValue);
  }

  async start(): Promise<void> {
    this.log.push('start');
  }

  async recover(): Promise<void> {
    this.fault('recover', 0);
    this.log.push('recover');
  }

  async close(): Promise<void> {
    this.log.push('close');
  }

  #isProtected(address: number): boolean {
    return this.board.sectors.some(
      ({ code, offset, length }) => this.protectedCodes.has(code) && address >= offset && address < offset + length,
    );
  }
}
