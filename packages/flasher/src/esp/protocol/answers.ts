/**
 * Answers of the Espressif serial protocol ("Serial Protocol", sections "Response Packet" and "Status Bytes"). The
 * ROM of the ESP32 family ends them with four status bytes, of which the last two are stale memory. The ROM of the
 * ESP8266 and the stub end them with two.
 */

import type { AwaitedFrame } from '@wirebench/port';
import { hexNumber } from '../../core/bytes.ts';

export interface Answer {
  readonly op: number;
  /** Result of READ_REG. After other commands the ROM leaves an old value here. */
  readonly value: number;
  /** Payload and status bytes. */
  readonly data: Uint8Array;
}

export type Status = { readonly ok: true } | { readonly ok: false; readonly reason: number };

/** The ROM's code for a malformed message and for an unknown command. */
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

/** Codes of esp-flasher-stub (`commands.h`, `enum esp_response_code`). */
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

/** Returns the wire pattern of a stub's successful answer to `op`, with any payload. Both status bytes are 0. */
export function awaitedAnswer(op: number): AwaitedFrame {
  return { delimiter: 0xc0, begins: Uint8Array.of(0x01, op), ends: Uint8Array.of(0, 0) };
}

/** Parses an answer. Returns null for a damaged frame or one of another kind. */
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
 * Returns the status of an answer, which follows the payload. A refusal has no payload.
 *
 * @param payload Bytes of payload in a successful answer to this command.
 */
export function statusOf({ data }: Answer, payload: number): Status {
  const at = data.length < payload + 2 ? 0 : payload;
  const flag = data[at] ?? 0xff;
  if (flag === 0 && data.length >= payload + 2) {
    return { ok: true };
  }
  // The stub sends the reason first; the ROM sends 1, then the reason.
  return { ok: false, reason: flag === 1 ? (data[at + 1] ?? 0) : flag };
}

/** Returns the reason in words, for a log. */
export function reasonText(reason: number): string {
  const text = romReasons[reason] ?? stubReasons[reason] ?? 'unknown reason';
  return `${text} (${hexNumber(reason, 2)})`;
}
