/**
 * Predicts how a server will answer the next chunk, byte for byte, from how it has answered one: a CBOR map can be written in many ways, and
 * each server has one. Only the sequence number and the offset change. Knows no port.
 */
import { indexOfBytes, isSame, joined, viewOf } from '../../core/bytes.ts';
import { encodeCbor } from './cbor.ts';
import { encodeLines } from './console-lines.ts';
import { HEADER_SIZE } from './smp.ts';

/** The text `off` as a key of a map. */
const offsetKey = encodeCbor('off');
/** Longest answer that is predicted, in bytes on the wire: what a port can wait for (`ExpectedBytes`). */
const LONGEST = 128;

export class AnswerShape {
  /** Before and behind the offset. */
  readonly #head: Uint8Array;
  readonly #tail: Uint8Array;
  readonly #hasCarriageReturn: boolean;

  private constructor(head: Uint8Array, tail: Uint8Array, hasCarriageReturn: boolean) {
    this.#head = head;
    this.#tail = tail;
    this.#hasCarriageReturn = hasCarriageReturn;
  }

  /**
   * @param packet the answer to a chunk, with its header.
   * @param offset what it says of how far the image is.
   * @param heard all that came as this answer, as it was on the wire.
   * @returns null for an answer that this cannot predict.
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
    // One that is written in another way would not come out as it was.
    return heard.length <= LONGEST && isSame(shape.answer(packet[6] ?? 0, offset), heard) ? shape : null;
  }

  /** The whole answer on the wire. @param sequence that of the request */
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
