/**
 * Predicts a server's next answer byte for byte from an earlier one. A CBOR map has many encodings, but each server
 * uses one of them. Only the sequence number and the offset change.
 */
import { joined } from '@wirebench/port/bytes';
import { indexOfBytes, isSame, viewOf } from '../../core/bytes.ts';
import { encodeCbor } from './cbor.ts';
import { encodeLines } from './console-lines.ts';
import { HEADER_SIZE } from './smp.ts';

/** The text `off` encoded as a map key. */
const offsetKey = encodeCbor('off');
/** Longest answer that is predicted, in bytes on the wire. A port can wait for no more (`ExpectedBytes`). */
const LONGEST = 128;

export class AnswerShape {
  /** Bytes before and after the offset. */
  readonly #head: Uint8Array;
  readonly #tail: Uint8Array;
  readonly #hasCarriageReturn: boolean;

  private constructor(head: Uint8Array, tail: Uint8Array, hasCarriageReturn: boolean) {
    this.#head = head;
    this.#tail = tail;
    this.#hasCarriageReturn = hasCarriageReturn;
  }

  /**
   * Learns from an answer.
   *
   * @param packet Answer to a chunk, including its header.
   * @param offset Offset in the answer.
   * @param heard All bytes of the answer as received on the wire.
   * @returns null for an answer that cannot be predicted.
   */
  static of(packet: Uint8Array, offset: number, heard: Uint8Array): AnswerShape | null {
    const at = indexOfBytes(packet, offsetKey);
    if (at < 0 || indexOfBytes(packet, offsetKey, at + 1) >= 0) {
      return null;
    }
    const valueAt = at + offsetKey.length;
    const tailAt = valueAt + encodeCbor(offset).length;
    const hasCarriageReturn = heard.at(-2) === 0x0d;
    const shape = new AnswerShape(packet.slice(0, valueAt), packet.slice(tailAt), hasCarriageReturn);
    // An answer in another encoding would not be reproduced exactly.
    return heard.length <= LONGEST && isSame(shape.answer(packet[6] ?? 0, offset), heard) ? shape : null;
  }

  /**
   * Returns the whole answer on the wire.
   *
   * @param sequence Sequence number of the request.
   */
  answer(sequence: number, offset: number): Uint8Array {
    const packet = joined(this.#head, encodeCbor(offset), this.#tail);
    viewOf(packet).setUint16(2, packet.length - HEADER_SIZE);
    packet[6] = sequence;
    const lines = encodeLines(packet);
    return this.#hasCarriageReturn ? withCarriageReturns(lines) : lines;
  }
}

function withCarriageReturns(lines: Uint8Array): Uint8Array {
  return Uint8Array.from([...lines].flatMap((byte) => (byte === 0x0a ? [0x0d, 0x0a] : [byte])));
}
