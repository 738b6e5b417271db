/**
 * Builds the requests of the Espressif serial protocol as frames ("Serial Protocol", sections "Command Packet" and
 * "Commands"). All numbers are little endian; all sizes and offsets are in bytes.
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
  /** The whole frame including delimiters. */
  readonly frame: Uint8Array;
}

/** Initial value of the checksum of data blocks ("Serial Protocol", section "Checksum"). */
const CHECKSUM_SEED = 0xef;

/** Returns the XOR of all bytes and the initial value. */
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

function dataRequest(op: number, sequence: number, block: Uint8Array): Request {
  return request(op, words(block.length, sequence, 0, 0), checksum(block), block);
}

/** Builds SYNC, by which a ROM measures the baud rate, and which it answers eight times. */
export function syncRequest(): Request {
  const data = new Uint8Array(36).fill(0x55);
  data.set([0x07, 0x07, 0x12, 0x20]);
  return request(ops.sync, data);
}

/** @param address Register of this chip, aligned to 4 bytes. Any other address crashes the ROM until it is reset. */
export function readRegRequest(address: number): Request {
  return request(ops.readReg, words(address));
}

export interface RegisterWrite {
  readonly address: number;
  readonly value: number;
  /** Bits to change; default all. The ROM reads and writes the whole register in any case. */
  readonly mask?: number;
  /** Microseconds that the ROM waits before this write; default 0. */
  readonly delay?: number;
}

/**
 * Builds a list of writes with one answer after the last. The ROMs accept at most 511 and drop the list or crash
 * beyond that.
 */
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

/** Leaves the loader and runs the loaded program at `entry`. */
export function memEndRequest(entry: number): Request {
  return request(ops.memEnd, words(0, entry));
}

/** @param rom True for a ROM of the ESP32 family, which expects a second word. The stub refuses it. */
export function spiAttachRequest(rom: boolean): Request {
  return request(ops.spiAttach, rom ? words(0, 0) : words(0));
}

/** @param flashSize Size of the whole chip. The ROM refuses writes beyond the size that it knows. */
export function spiSetParamsRequest(flashSize: number): Request {
  // ID, size, block, sector, page, status mask: the values of every 25-series NOR chip.
  return request(ops.spiSetParams, words(0, flashSize, 0x1_0000, 0x1000, 0x100, 0xffff));
}

/** @param current The current rate for the stub, 0 for the ROM. */
export function changeBaudRateRequest(rate: number, current: number): Request {
  return request(ops.changeBaudRate, words(rate, current));
}

export interface FlashLoad {
  /** Size to erase: for the stub the size of the data, for the ROM the size of whole blocks. */
  readonly size: number;
  readonly blocks: number;
  readonly blockSize: number;
  readonly offset: number;
  /** True: add a fifth word about encryption. All programs but the ROMs of ESP32 and ESP8266 expect it. */
  readonly extended: boolean;
  /** True: the chip encrypts what it writes. Needs the fifth word. Default: false. */
  readonly encrypted?: boolean;
}

export function flashBeginRequest(load: FlashLoad): Request {
  return request(ops.flashBegin, flashLoadWords(load));
}

export function flashDataRequest(sequence: number, block: Uint8Array): Request {
  return dataRequest(ops.flashData, sequence, block);
}

/** Begins a compressed write. `blocks` counts compressed data, `size` the uncompressed size. */
export function deflBeginRequest(load: FlashLoad): Request {
  return request(ops.deflBegin, flashLoadWords(load));
}

/** @param block Part of a zlib stream; each begin has one stream. */
export function deflDataRequest(sequence: number, block: Uint8Array): Request {
  return dataRequest(ops.deflData, sequence, block);
}

function flashLoadWords({ size, blocks, blockSize, offset, extended, encrypted = false }: FlashLoad): Uint8Array {
  const load = [size, blocks, blockSize, offset];
  return extended ? words(...load, encrypted ? 1 : 0) : words(...load);
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

/** Erases whole sectors. */
export function eraseRegionRequest(offset: number, length: number): Request {
  return request(ops.eraseRegion, words(offset, length));
}

/** @param inFlight Packets that the stub may send before the first of them is acknowledged. */
export function readFlashRequest(offset: number, length: number, packet: number, inFlight: number): Request {
  return request(ops.readFlash, words(offset, length, packet, inFlight));
}

/** Builds the bare frame that acknowledges `received` bytes of a flash read by the stub. It is not a request. */
export function readAcknowledgement(received: number): Uint8Array {
  return encodeFrame(words(received));
}

/** @param length At most 64 bytes. */
export function readFlashSlowRequest(offset: number, length: number): Request {
  return request(ops.readFlashSlow, words(offset, length));
}
