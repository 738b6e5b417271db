/**
 * Answers of the Espressif serial protocol ("Serial Protocol", sections "Response Packet" and "Status Bytes"). The ROM of
 * the ESP32 family ends them with four status bytes of which the last two are stale memory, the ROM of the ESP8266 and the
 * stub with two. Pure: no port, no time.
 */

import type { AwaitedFrame } from '@wirebench/serial/port';
import { hexText } from '../../core/bytes.ts';

export interface Answer {
  readonly op: number;
  /** What READ_REG read; the ROM leaves something old here after other commands. */
  readonly value: number;
  /** Payload and status bytes. */
  readonly data: Uint8Array;
}

export type Status = { readonly ok: true } | { readonly ok: false; readonly reason: number };

/** The ROM's word for a message that it does not understand, and for a command that it does not have. */
export const invalidMessage = 0x05;

const romReasons: Readonly<Record<number, string>> = {
  1: 'parameter is invalid',
  2: 'out of memory',
  3: 'could not send',
  4: 'could not receive',
  [invalidMessage]: 'message is invalid or the command does not exist',
  6: 'command failed',
  7: 'checksum is wrong',
  8: 'flash write error',
  9: 'flash read error',
  10: 'flash read length is wrong',
  11: 'inflating failed',
  12: 'Adler-32 of the stream is wrong',
  13: 'parameter of the stream is wrong',
  14: 'size in RAM is invalid',
  15: 'address in RAM is invalid',
};

/** esp-flasher-stub, `commands.h`, `enum esp_response_code`. */
const stubReasons: Readonly<Record<number, string>> = {
  192: 'length of the data is wrong',
  193: 'checksum is wrong',
  194: 'block size is wrong',
  195: 'command is invalid',
  196: 'flash chip refused',
  197: 'flash chip stays locked',
  198: 'data without a begin',
  199: 'inflating failed',
  200: 'too little data',
  201: 'too much data',
  255: 'command does not exist',
};

/** The answer of a stub that has done what `op` asked, whatever it carries, as it is on the wire: both status bytes are 0. */
export function awaitedAnswer(op: number): AwaitedFrame {
  return { delimiter: 0xc0, begins: Uint8Array.of(0x01, op), ends: Uint8Array.of(0, 0) };
}

/** Null when the frame is none of an answer: damaged, or something else. */
export function parseAnswer(frame: Uint8Array): Answer | null {
  if (frame.length < 8 || frame[0] !== 0x01) {
    return null;
  }
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const data = frame.slice(8);
  return view.getUint16(2, true) === data.length
    ? { op: view.getUint8(1), value: view.getUint32(4, true), data }
    : null;
}

/**
 * How a command went. Its status is after the payload; a refusal comes without one.
 * @param payload bytes that this command answers with when it succeeds.
 */
export function statusOf({ data }: Answer, payload: number): Status {
  const at = data.length < payload + 2 ? 0 : payload;
  const flag = data[at] ?? 0xff;
  if (flag === 0 && data.length >= payload + 2) {
    return { ok: true };
  }
  // The stub puts its reason first, the ROM says 1 and then its reason.
  return { ok: false, reason: flag === 1 ? (data[at + 1] ?? 0) : flag };
}

/** The reason in words, for a log. */
export function reasonText(reason: number): string {
  const text = romReasons[reason] ?? stubReasons[reason] ?? 'unknown reason';
  return `${text} (${hexText(reason)})`;
}
