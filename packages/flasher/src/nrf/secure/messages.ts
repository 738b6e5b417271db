/**
 * Messages of secure serial DFU, all little endian (nRF5 SDK 17.1, "DFU protocol" and "DFU transport: Serial"). A
 * request is an opcode and its parameters. An answer is 0x60, the opcode of the request, a result and the requested
 * data. Each is a SLIP frame with a delimiter at its end only.
 */
import { joined } from '@wirebench/port/bytes';
import { viewOf } from '../../core/bytes.ts';
import { encodeFrame } from '../../slip.ts';

/** Request opcodes ("DFU protocol", section "Request opcodes", `nrf_dfu_op_t`). */
export const op = {
  protocolVersion: 0x00,
  create: 0x01,
  setReceipts: 0x02,
  crc: 0x03,
  execute: 0x04,
  select: 0x06,
  mtu: 0x07,
  write: 0x08,
  ping: 0x09,
  hardwareVersion: 0x0a,
  firmwareVersion: 0x0b,
  abort: 0x0c,
} as const;
const ANSWER = 0x60;

/** Kinds of objects (`nrf_dfu_obj_type_t`). */
export const objectType = { initPacket: 1, data: 2 } as const;
export type ObjectType = (typeof objectType)[keyof typeof objectType];

/** Results (`nrf_dfu_result_t`): success, and the code that a second code follows. */
export const success = 0x01;
export const extendedError = 0x0b;

/**
 * Builds a request without a leading delimiter, because bootloaders of the SDK repeat the last request for an empty
 * frame.
 */
export function requestFrame(opcode: number, ...parameters: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeFrame(Uint8Array.of(opcode), ...parameters).subarray(1);
}

export function uint16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
}

export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);
}

export interface Answer {
  readonly op: number;
  readonly result: number;
  /** Bytes after the result. For an extended error, its code. */
  readonly data: Uint8Array;
}

/** Builds the wire form of a successful answer to `opcode`. */
export function answerFrame(opcode: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return encodeFrame(Uint8Array.of(ANSWER, opcode, success), data).subarray(1);
}

/** Parses an answer. Returns null if the frame is not one. */
export function readAnswer(frame: Uint8Array): Answer | null {
  const [mark, opcode, result] = frame;
  return mark === ANSWER && opcode !== undefined && result !== undefined
    ? { op: opcode, result, data: frame.slice(3) }
    : null;
}

/** Progress of an object: bytes from the start of the image or init packet, and the CRC-32 of all of them. */
export interface Progress {
  readonly offset: number;
  readonly crc: number;
}

export function progressData({ offset, crc }: Progress): Uint8Array {
  return joined(uint32(offset), uint32(crc));
}

export interface Selection extends Progress {
  /** Largest object of this type, in bytes. */
  readonly maximum: number;
}

export function readSelection(data: Uint8Array): Selection | null {
  if (data.length < 12) {
    return null;
  }
  const view = viewOf(data);
  return { maximum: view.getUint32(0, true), offset: view.getUint32(4, true), crc: view.getUint32(8, true) };
}

export function readProgress(data: Uint8Array): Progress | null {
  return data.length < 8 ? null : { offset: viewOf(data).getUint32(0, true), crc: viewOf(data).getUint32(4, true) };
}

export function readMtu(data: Uint8Array): number | null {
  return data.length < 2 ? null : viewOf(data).getUint16(0, true);
}

/**
 * Returns the bytes of data in one write request, a multiple of 4 because flash is written in words. Opcode, data and
 * delimiter must fit into the MTU even if every byte is escaped ("DFU transport: Serial").
 */
export const chunkSize = (mtu: number): number => Math.max(MIN_CHUNK, (Math.floor((mtu - 1) / 2) - 1) & ~3);

/** Bytes of data in the smallest write request, and the MTU that it takes. */
const MIN_CHUNK = 4;
export const MIN_MTU = 2 * (1 + MIN_CHUNK) + 1;
/** Smallest object of data: flash is written in words. An object of 0 bytes would be created for ever. */
export const MIN_OBJECT = 4;

export interface Hardware {
  /** For example `nRF52840`; null for a part without a number. */
  readonly part: string | null;
  /** Sizes in bytes. */
  readonly flashSize: number;
  readonly ramSize: number;
}

const NO_PART = 0xffff_ffff;

/** Largest flash of a part of the series, in bytes, with room for later ones. */
const MAX_FLASH = 16 * 2 ** 20;

/**
 * Reads the hardware. Returns null for an answer whose flash size no part has: the board does not know it. The part is coded as in the FICR (nRF52840 Product Specification, "FICR", `INFO.PART`:
 * 0x52840).
 */
export function readHardware(data: Uint8Array): Hardware | null {
  if (data.length < 20) {
    return null;
  }
  const view = viewOf(data);
  const part = view.getUint32(0, true);
  const flashSize = view.getUint32(8, true);
  if (flashSize === 0 || flashSize > MAX_FLASH) {
    return null;
  }
  return {
    part: part === NO_PART || part === 0 ? null : `nRF${part.toString(16)}`,
    flashSize,
    ramSize: view.getUint32(12, true),
  };
}

/** `nrf_dfu_firmware_type_t` in the order of its values. */
const firmwareTypes = ['softdevice', 'application', 'bootloader'] as const;

export interface Firmware {
  readonly type: (typeof firmwareTypes)[number];
  readonly version: number;
  readonly address: number;
  /** In bytes. */
  readonly length: number;
}

/** Reads the answer about one image. Returns null if the board has no image of that number. */
export function readFirmware(data: Uint8Array): Firmware | null {
  const type = firmwareTypes[data[0] ?? 0xff];
  if (type === undefined || data.length < 13) {
    return null;
  }
  const view = viewOf(data);
  return { type, version: view.getUint32(1, true), address: view.getUint32(5, true), length: view.getUint32(9, true) };
}
