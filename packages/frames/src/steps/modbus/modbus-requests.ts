/**
 * The side of Modbus RTU that asks: requests that only read, and their answers in received bytes. An entry of its own,
 * for callers that need no decoder.
 */
import { calculatorOf } from '../../checksums.ts';
import { measure } from './modbus-cutting.ts';
import { isAnswerTo } from './modbus-pairing.ts';
import { EXCEPTION, exceptions } from './modbus-shapes.ts';
import type { RegisterRead } from './read-plan.ts';
import { reads } from './register-tables.ts';
import { isBitTable } from './registers.ts';

const crc = calculatorOf('crc16-modbus');

/** Functions that change nothing in a device (V1.1b3, sections 6.1 to 6.4 and 6.21). */
export type ReadFunction = 1 | 2 | 3 | 4 | 43;

/** Returns a request with its checksum. `operands` follow the function. */
export function readRequest(unit: number, code: ReadFunction, operands: readonly number[]): Uint8Array {
  const frame = Uint8Array.of(unit, code, ...operands, 0, 0);
  const sum = crc(frame, 0, frame.length - 2);
  frame.set([sum & 0xff, sum >> 8], frame.length - 2);
  return frame;
}

/** Returns the request that reads a part of a table, and the bytes of its answer (V1.1b3, sections 6.1 to 6.4). */
export function tableRequest({ unit, table, first, count }: RegisterRead): {
  readonly request: Uint8Array;
  readonly answerBytes: number;
} {
  const operands = [first >> 8, first & 0xff, count >> 8, count & 0xff];
  const data = isBitTable(table) ? Math.ceil(count / 8) : 2 * count;
  return { request: readRequest(unit, reads[table].code, operands), answerBytes: ANSWER_BYTES + data };
}

/** Bytes of an answer beside its values: unit, function, count and checksum. */
const ANSWER_BYTES = 5;

/** A frame with a right checksum among received bytes: from, and up to without. */
export interface ReceivedFrame {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** Returns all frames with a right checksum, whatever stands between them. */
export function receivedFrames(bytes: Uint8Array): readonly ReceivedFrame[] {
  const frames: ReceivedFrame[] = [];
  for (let from = 0; from < bytes.length; ) {
    const length = measure(bytes, from, bytes.length, true);
    if (length > 0) {
      frames.push({ from, to: from + length, bytes: bytes.slice(from, from + length) });
    }
    from += Math.max(1, length);
  }
  return frames;
}

/** Returns true if a frame can be the answer to a request, or its exception. */
export function isAnswerFor(frame: Uint8Array, request: Uint8Array): boolean {
  const [unit, code = 0] = frame;
  if (unit !== request[0]) {
    return false;
  }
  return exceptionOf(frame) === null
    ? code === request[1] && isAnswerTo(frame, request)
    : (code & ~EXCEPTION) === request[1];
}

/** Returns the code of an exception; null: the frame is not one. */
export function exceptionOf(frame: Uint8Array): number | null {
  const [, code = 0, exception = 0] = frame;
  return code >= EXCEPTION ? exception : null;
}

/** Returns the name of an exception: `illegal function`, `exception 100`. */
export function exceptionName(code: number): string {
  return exceptions.get(code) ?? `exception ${code}`;
}
