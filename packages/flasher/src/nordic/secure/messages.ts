/**
 * Messages of secure serial DFU as bytes: a request is an opcode and its parameters, an answer is 0x60, the opcode of the request,
 * a result and what was asked for, all little endian, each in a SLIP frame that only ends with a delimiter (nRF5 SDK 17.1,
 * "DFU protocol" and "DFU transport: Serial"). Knows no port and no order.
 */
import { joined, viewOf } from '../../core/bytes.ts';
import { encodeFrame } from '../../slip.ts';

/** "DFU protocol", section "Request opcodes" (`nrf_dfu_op_t`). */
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

/** What is being sent (`nrf_dfu_obj_type_t`). */
export const objectType = { initPacket: 1, data: 2 } as const;
export type ObjectType = (typeof objectType)[keyof typeof objectType];

/** `nrf_dfu_result_t`, success and the code that announces a second one. */
export const success = 0x01;
export const extendedError = 0x0b;

/** An empty frame is taken for the request before it by bootloaders of the SDK: so no delimiter goes before a frame. */
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
  /** Behind the result; of an extended error its code. */
  readonly data: Uint8Array;
}

/** The answer of a board that has done what `opcode` asked, as it is on the wire. */
export function answerFrame(opcode: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return encodeFrame(Uint8Array.of(ANSWER, opcode, success), data).subarray(1);
}

/** Null for a frame that is none. */
export function readAnswer(frame: Uint8Array): Answer | null {
  const [mark, opcode, result] = frame;
  return mark === ANSWER && opcode !== undefined && result !== undefined
    ? { op: opcode, result, data: frame.slice(3) }
    : null;
}

/** How far an object is: bytes from the start of the image or init packet, and the CRC-32 of all of them. */
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
 * Bytes of data in one write request: with its opcode, escaped, and with a delimiter it must fit into the MTU however many bytes
 * need an escape ("DFU transport: Serial"). A multiple of 4, as flash is written in words.
 */
export const chunkSize = (mtu: number): number => Math.max(MIN_CHUNK, (Math.floor((mtu - 1) / 2) - 1) & ~3);

/** Bytes of data in the smallest write request, and the MTU that it takes. */
const MIN_CHUNK = 4;
export const MIN_MTU = 2 * (1 + MIN_CHUNK) + 1;
/** Smallest object of data: flash is written in words. An object of 0 bytes would be created for ever. */
export const MIN_OBJECT = 4;

export interface Hardware {
  /** `nRF52840`; null for a part without a number. */
  readonly part: string | null;
  /** Bytes. */
  readonly flashSize: number;
  readonly ramSize: number;
}

const NO_PART = 0xffff_ffff;

/** Part and variant as the FICR has them (nRF52840 Product Specification, "FICR", `INFO.PART`: 0x52840). */
export function readHardware(data: Uint8Array): Hardware | null {
  if (data.length < 20) {
    return null;
  }
  const view = viewOf(data);
  const part = view.getUint32(0, true);
  return {
    part: part === NO_PART || part === 0 ? null : `nRF${part.toString(16)}`,
    flashSize: view.getUint32(8, true),
    ramSize: view.getUint32(12, true),
  };
}

/** `nrf_dfu_firmware_type_t`. */
const firmwareTypes = ['softdevice', 'application', 'bootloader'] as const;

export interface Firmware {
  readonly type: (typeof firmwareTypes)[number];
  readonly version: number;
  readonly address: number;
  /** Bytes. */
  readonly length: number;
}

/** Null when the board has no image of that number. */
export function readFirmware(data: Uint8Array): Firmware | null {
  const type = firmwareTypes[data[0] ?? 0xff];
  if (type === undefined || data.length < 13) {
    return null;
  }
  const view = viewOf(data);
  return { type, version: view.getUint32(1, true), address: view.getUint32(5, true), length: view.getUint32(9, true) };
}
