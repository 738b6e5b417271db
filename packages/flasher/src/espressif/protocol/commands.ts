/**
 * Requests of the Espressif serial protocol as frames, ready to be written ("Serial Protocol", sections "Command Packet" and
 * "Commands"). All numbers are little endian, all sizes and offsets bytes. Pure: no port, no time.
 */
import { encodeFrame } from '../../slip.ts';

export const ops = {
  flashBegin: 0x02,
  flashData: 0x03,
  flashEnd: 0x04,
  memBegin: 0x05,
  memEnd: 0x06,
  memData: 0x07,
  sync: 0x08,
  writeReg: 0x09,
  readReg: 0x0a,
  spiSetParams: 0x0b,
  spiAttach: 0x0d,
  readFlashSlow: 0x0e,
  changeBaudRate: 0x0f,
  deflBegin: 0x10,
  deflData: 0x11,
  md5: 0x13,
  securityInfo: 0x14,
  eraseFlash: 0xd0,
  eraseRegion: 0xd1,
  readFlash: 0xd2,
} as const;

export interface Request {
  readonly op: number;
  /** Delimiters included: one write. */
  readonly frame: Uint8Array;
}

/** Start of the checksum of data blocks ("Serial Protocol", section "Checksum"). */
const CHECKSUM_SEED = 0xef;

/** XOR of all bytes and the seed. */
export function checksum(bytes: Uint8Array): number {
  let sum = CHECKSUM_SEED;
  for (const byte of bytes) {
    sum ^= byte;
  }
  return sum;
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    view.setUint32(index * 4, value, true);
  }
  return bytes;
}

function request(op: number, data: Uint8Array, sum = 0, block: Uint8Array = new Uint8Array()): Request {
  const head = new Uint8Array(8);
  const view = new DataView(head.buffer);
  view.setUint8(1, op);
  view.setUint16(2, data.length + block.length, true);
  view.setUint32(4, sum, true);
  return { op, frame: encodeFrame(head, data, block) };
}

/** A command that only a program in RAM knows. */
export function commandRequest(op: number, data: Uint8Array): Request {
  return request(op, data);
}

function dataRequest(op: number, sequence: number, block: Uint8Array): Request {
  return request(op, words(block.length, sequence, 0, 0), checksum(block), block);
}

/** What a chip sets its own rate by, and answers eight times. */
export function syncRequest(): Request {
  const data = new Uint8Array(36).fill(0x55);
  data.set([0x07, 0x07, 0x12, 0x20]);
  return request(ops.sync, data);
}

/** @param address a register of this chip, aligned to 4 bytes: any other crashes the ROM until reset. */
export function readRegRequest(address: number): Request {
  return request(ops.readReg, words(address));
}

export interface RegisterWrite {
  readonly address: number;
  readonly value: number;
  /** Bits to change; all when left out. The ROM reads and writes the register in any case. */
  readonly mask?: number;
  /** Microseconds that the ROM waits before this write; 0 when left out. */
  readonly delay?: number;
}

/** Writes in this order, with one answer after the last. The ROMs take 511 at most, and drop or crash on more. */
export function writeRegsRequest(writes: readonly RegisterWrite[]): Request {
  const values = writes.flatMap(({ address, value, mask = 0xffff_ffff, delay = 0 }) => [
    address,
    value >>> 0,
    mask >>> 0,
    delay,
  ]);
  return request(ops.writeReg, words(...values));
}

export function writeRegRequest(write: RegisterWrite): Request {
  return writeRegsRequest([write]);
}

export interface MemoryLoad {
  readonly size: number;
  readonly blocks: number;
  readonly blockSize: number;
  readonly address: number;
}

export function memBeginRequest({ size, blocks, blockSize, address }: MemoryLoad): Request {
  return request(ops.memBegin, words(size, blocks, blockSize, address));
}

export function memDataRequest(sequence: number, block: Uint8Array): Request {
  return dataRequest(ops.memData, sequence, block);
}

/** Leaves the loader and runs what was loaded, from `entry` on. */
export function memEndRequest(entry: number): Request {
  return request(ops.memEnd, words(0, entry));
}

/** @param rom the ROM of the ESP32 family takes a second word, the stub refuses it. */
export function spiAttachRequest(rom: boolean): Request {
  return request(ops.spiAttach, rom ? words(0, 0) : words(0));
}

/** @param flashSize of the whole chip: the ROM refuses to begin beyond the size it knows. */
export function spiSetParamsRequest(flashSize: number): Request {
  // Id, size, block, sector, page, status mask: what each 25-series NOR chip has.
  return request(ops.spiSetParams, words(0, flashSize, 0x1_0000, 0x1000, 0x100, 0xffff));
}

/** @param current rate of now for the stub, 0 for the ROM. */
export function changeBaudRateRequest(rate: number, current: number): Request {
  return request(ops.changeBaudRate, words(rate, current));
}

export interface FlashLoad {
  /** What is erased for it: the stub wants the size of the data, the ROM that of whole blocks. */
  readonly size: number;
  readonly blocks: number;
  readonly blockSize: number;
  readonly offset: number;
  /** A fifth word, which says that nothing is to be encrypted: all but the ROMs of ESP32 and ESP8266 have it. */
  readonly extended: boolean;
}

export function flashBeginRequest(load: FlashLoad): Request {
  return request(ops.flashBegin, flashLoadWords(load));
}

export function flashDataRequest(sequence: number, block: Uint8Array): Request {
  return dataRequest(ops.flashData, sequence, block);
}

/** Blocks count compressed data, `size` counts what it becomes. */
export function deflBeginRequest(load: FlashLoad): Request {
  return request(ops.deflBegin, flashLoadWords(load));
}

/** @param block of one zlib stream per begin. */
export function deflDataRequest(sequence: number, block: Uint8Array): Request {
  return dataRequest(ops.deflData, sequence, block);
}

function flashLoadWords({ size, blocks, blockSize, offset, extended }: FlashLoad): Uint8Array {
  return extended ? words(size, blocks, blockSize, offset, 0) : words(size, blocks, blockSize, offset);
}

export function md5Request(offset: number, length: number): Request {
  return request(ops.md5, words(offset, length, 0, 0));
}

export function securityInfoRequest(): Request {
  return request(ops.securityInfo, new Uint8Array());
}

export function eraseFlashRequest(): Request {
  return request(ops.eraseFlash, new Uint8Array());
}

/** Whole sectors. */
export function eraseRegionRequest(offset: number, length: number): Request {
  return request(ops.eraseRegion, words(offset, length));
}

/** @param inFlight packets that the stub may send before the first of them is acknowledged. */
export function readFlashRequest(offset: number, length: number, packet: number, inFlight: number): Request {
  return request(ops.readFlash, words(offset, length, packet, inFlight));
}

/** Not a request: the bare frame that acknowledges `received` bytes of a flash read by the stub. */
export function readAcknowledgement(received: number): Uint8Array {
  return encodeFrame(words(received));
}

/** @param length 64 bytes at most. */
export function readFlashSlowRequest(offset: number, length: number): Request {
  return request(ops.readFlashSlow, words(offset, length));
}
