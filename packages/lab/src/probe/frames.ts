/**
 * Frames of the RAM program (`firmware/probe/PROTOCOL.md`): requests with their checksum, answers and events. All
 * numbers are little endian.
 */
import { encodeFrame } from '@wirebench/flasher/esp/rom';

export const probeOps = {
  capabilities: 0xe0,
  i2cTransfer: 0xe1,
  i2cScan: 0xe2,
  spiTransfer: 0xe3,
  bridgeOpen: 0xe4,
  bridgeSend: 0xe5,
  captureStart: 0xe6,
  captureRead: 0xe7,
  adcStream: 0xe8,
  watch: 0xe9,
} as const;

export const probeEvents = {
  hello: 0xf0,
  bridgeData: 0xf1,
  captureDone: 0xf2,
  adcSamples: 0xf3,
  levels: 0xf4,
} as const;

/** Reasons for which the program refuses a request. */
export type ProbeReason =
  | 'invalid'
  | 'wrong-checksum'
  | 'address-refused'
  | 'out-of-range'
  | 'no-room'
  | 'bridge-closed'
  | 'i2c-no-acknowledge'
  | 'i2c-time-out'
  | 'i2c-arbitration-lost'
  | 'spi-never-finished'
  | 'unknown';

const reasons: Readonly<Record<number, ProbeReason>> = {
  5: 'invalid',
  7: 'wrong-checksum',
  32: 'address-refused',
  33: 'out-of-range',
  34: 'no-room',
  35: 'bridge-closed',
  48: 'i2c-no-acknowledge',
  49: 'i2c-time-out',
  50: 'i2c-arbitration-lost',
  51: 'spi-never-finished',
};

/** An answer; an event if its op is 0xF0 or above. */
export interface ProbeFrame {
  readonly op: number;
  readonly value: number;
  /** Data without the status. */
  readonly data: Uint8Array;
  /** Null for success. */
  readonly reason: ProbeReason | null;
}

const headSize = 8;
const statusSize = 4;
const checksumSeed = 0xef;

/**
 * Encodes a request with its delimiters.
 *
 * @param data At most 8,184 bytes.
 */
export function encodeRequest(op: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(headSize);
  const view = new DataView(head.buffer);
  view.setUint8(1, op);
  view.setUint16(2, data.length, true);
  view.setUint32(
    4,
    data.reduce((sum, byte) => sum ^ byte, checksumSeed),
    true,
  );
  return encodeFrame(head, data);
}

/**
 * Parses a frame. Null if it is neither an answer nor an event.
 *
 * @param frame Frame without delimiters.
 */
export function parseFrame(frame: Uint8Array): ProbeFrame | null {
  const view = viewOf(frame);
  const length = frame.length - headSize;
  if (length < statusSize || frame[0] !== 1 || view.getUint16(2, true) !== length) {
    return null;
  }
  const end = frame.length - statusSize;
  return {
    op: view.getUint8(1),
    value: view.getUint32(4, true),
    data: frame.slice(headSize, end),
    reason: frame[end] === 0 ? null : (reasons[view.getUint8(end + 1)] ?? 'unknown'),
  };
}

export function isEvent({ op }: ProbeFrame): boolean {
  return op >= probeEvents.hello;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
