/**
 * How the commands of the UART bootloader talk: they wish for bytes and give answers, and whoever runs them deals with the line,
 * time and faults. Sums and orders of bytes are those of AN3155, section 3.
 */
import type { StmChip, Work } from '../chip/stm-chip.ts';
import type { StmUartStep } from '../faults.ts';

/** AN3155, section 3, "Communication safety". */
export const ack = 0x79;
const nack = 0x1f;

/** Bytes that came together; not `intact` when one of them had a bad parity or frame. */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly intact: boolean;
}

export interface Answer {
  readonly kind: 'answer';
  /** Null where no fault can be placed. */
  readonly step: StmUartStep | null;
  /** False: a NACK, and nothing is done. */
  readonly valid: boolean;
  /** What is done before the answer. */
  readonly work: (() => Work) | null;
  /** The answer when all went well, and when it did not. */
  readonly good: () => readonly number[];
  readonly bad: readonly number[];
}

type Wish = { readonly kind: 'receive'; readonly count: number } | Answer;
/** To `receive` a packet; to an answer whether it was a good one. */
export type Reply = Packet | boolean;

/** How the bootloader is left. `options`: by a reset that loads the option bytes. */
export type Leaving = { readonly kind: 'jump'; readonly address: number } | { readonly kind: 'options' };

export interface ProgramContext {
  readonly chip: StmChip;
  /** The bootloader has Get Checksum. */
  readonly checksum: boolean;
  now(): number;
  /** A command with this code came. */
  count(code: number): void;
}

export type Dialogue<Result> = Generator<Wish, Result, Reply>;
export type Command = (context: ProgramContext) => Dialogue<Leaving | null>;

export interface AnswerDetails {
  readonly work?: () => Work;
  /** Follows the ACK. */
  readonly data?: () => Iterable<number>;
  readonly nacks?: number;
}

export function answerOf(step: StmUartStep | null, valid: boolean, details: AnswerDetails = {}): Answer {
  const { work = null, data = () => [], nacks = 1 } = details;
  const bad = new Array<number>(nacks).fill(nack);
  return { kind: 'answer', step, valid, work, good: () => [ack, ...data()], bad };
}

/** Answers, and gives whether it was an ACK. */
export function* answer(step: StmUartStep | null, valid: boolean, details?: AnswerDetails): Dialogue<boolean> {
  return (yield answerOf(step, valid, details)) === true;
}

export function* receive(count: number): Dialogue<Packet> {
  const reply = yield { kind: 'receive', count };
  return typeof reply === 'boolean' ? { bytes: new Uint8Array(count), intact: false } : reply;
}

/** Four bytes, most significant first, and their sum; null when that is wrong. */
export function* receiveWord(): Dialogue<number | null> {
  const packet = yield* receive(5);
  const { buffer, byteOffset } = packet.bytes;
  return hasSum(packet) ? new DataView(buffer, byteOffset, 4).getUint32(0) : null;
}

/** Whether everything, with the checksum at its end, comes to 0. */
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

/** Most significant byte first. */
export function halfWord(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
