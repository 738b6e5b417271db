/**
 * The commands of the UART bootloader as generators: they request bytes and yield answers. The session that runs them
 * handles the line, time and faults. Checksums and byte orders are those of AN3155, section 3.
 */
import type { StmChip, Work } from '../chip/stm-chip.ts';
import type { StmUartStep } from '../faults.ts';

/** AN3155, section 3, "Communication safety". */
export const ack = 0x79;
const nack = 0x1f;

/** Requested bytes. `intact` is false if one of them had bad parity or a bad frame. */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly intact: boolean;
}

export interface Answer {
  readonly kind: 'answer';
  /** Step for faults; null if no fault can occur here. */
  readonly step: StmUartStep | null;
  /** False: a NACK without any work. */
  readonly valid: boolean;
  /** Work before the answer. */
  readonly work: (() => Work) | null;
  /** Bytes of the answer after success. `bad`: bytes after a failure. */
  readonly good: () => readonly number[];
  readonly bad: readonly number[];
}

type Wish = { readonly kind: 'receive'; readonly count: number } | Answer;
/** Reply to a wish: the packet for `receive`; for an answer, true if it was positive. */
export type Reply = Packet | boolean;

/** End of the bootloader. `options`: a reset that loads the option bytes. */
export type Leaving = { readonly kind: 'jump'; readonly address: number } | { readonly kind: 'options' };

export interface ProgramContext {
  readonly chip: StmChip;
  /** True: the bootloader has Get Checksum. */
  readonly checksum: boolean;
  now(): number;
  /** Called for each command. */
  count(code: number): void;
}

export type Dialogue<Result> = Generator<Wish, Result, Reply>;
export type Command = (context: ProgramContext) => Dialogue<Leaving | null>;

export interface AnswerDetails {
  readonly work?: () => Work;
  /** Bytes after the ACK. */
  readonly data?: () => Iterable<number>;
  readonly nacks?: number;
}

export function answerOf(step: StmUartStep | null, valid: boolean, details: AnswerDetails = {}): Answer {
  const { work = null, data = () => [], nacks = 1 } = details;
  const bad = new Array<number>(nacks).fill(nack);
  return { kind: 'answer', step, valid, work, good: () => [ack, ...data()], bad };
}

/** Sends an answer. Returns true if it was an ACK. */
export function* answer(step: StmUartStep | null, valid: boolean, details?: AnswerDetails): Dialogue<boolean> {
  return (yield answerOf(step, valid, details)) === true;
}

export function* receive(count: number): Dialogue<Packet> {
  const reply = yield { kind: 'receive', count };
  return typeof reply === 'boolean' ? { bytes: new Uint8Array(count), intact: false } : reply;
}

/** Receives four bytes, most significant first, and their checksum. Returns null for a wrong checksum. */
export function* receiveWord(): Dialogue<number | null> {
  const packet = yield* receive(5);
  const { buffer, byteOffset } = packet.bytes;
  return hasSum(packet) ? new DataView(buffer, byteOffset, 4).getUint32(0) : null;
}

/** True if the packets are intact and the XOR of all bytes, including the checksum at the end, is 0. */
export function hasSum(...packets: readonly Packet[]): boolean {
  return packets.every(({ intact }) => intact) && packets.reduce((sum, { bytes }) => sum ^ xor(bytes), 0) === 0;
}

export function xor(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
  }
  return sum;
}

/** Reads 16 bits, most significant byte first. */
export function halfWord(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
