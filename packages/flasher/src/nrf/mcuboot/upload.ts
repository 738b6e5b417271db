/**
 * Uploads one image by SMP in chunks with offsets. Each answer gives the offset that the board expects next. If that
 * differs, the upload continues there, so a lost packet is repeated alone.
 */
import type { ExpectedBytes } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import { indexOfBytes, isSame, viewOf } from '../../core/bytes.ts';
import { sha256 } from '../../images/sha256.ts';
import { deadlines, firstChunkLimit } from '../deadlines.ts';
import { NrfError, type NrfFailure } from '../nrf-failure.ts';
import { TransientError } from '../transient-error.ts';
import { type CborValue, encodeCbor } from './cbor.ts';
import { encodeLines } from './console-lines.ts';
import {
  encodeSmp,
  HEADER_SIZE,
  numberIn,
  passingErrors,
  resultOf,
  type SmpAnswer,
  smpCommand,
  smpError,
} from './smp.ts';
import type { HeardAnswer, SmpLink } from './smp-link.ts';

/**
 * Chunks are a multiple of this, in bytes. Flash is written in words of up to 16 or 32 bytes, and a board asks again
 * for a remainder.
 */
const ALIGNMENT = 32;
/** Answers without progress in a row after which the upload fails. */
const STANDSTILLS = 8;

export interface UploadPlan {
  readonly bytes: Uint8Array;
  /** Image number on the board; 0 is left out of the request. */
  readonly number: number;
  /** Bytes of the target slot; null or left out if the board does not report it. */
  readonly slot?: number | null;
  /** Largest packet that the board accepts, in bytes. */
  readonly packet: number;
  /** Packets that may be under way at once. */
  readonly window: number;
}

/** Chunks under way to a remote board, each waiting beside it for the answer to the previous one. */
const AHEAD = 6;

interface Chunk {
  readonly sequence: number;
  /** Bytes on the wire. */
  readonly bytes: number;
  /** Offset after the chunk. */
  readonly end: number;
  /** Answer for which the next chunk waits beside the board; null if no chunk waits. */
  expected: Uint8Array | null;
}

/** The text `off` encoded as a map key. */
const offsetKey = encodeCbor('off');
/** Longest answer that is predicted, in bytes on the wire. A port can wait for no more (`ExpectedBytes`). */
const LONGEST = 128;

/**
 * Predicts a server's next answer byte for byte from an earlier one. A CBOR map has many encodings, but each server
 * uses one of them. Only the sequence number and the offset change.
 */
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

export class Upload {
  readonly #link: SmpLink;
  readonly #plan: UploadPlan;
  readonly #hash: Uint8Array;
  readonly #onProgress: (done: number) => void;
  /** Bytes that the board has. */
  #done = 0;
  #standstills = 0;
  /** Form of the last answer; null if it cannot be predicted. */
  #shape: AnswerShape | null = null;
  /** True: chunks under way wait beside the board. */
  #isAhead = false;

  private constructor(link: SmpLink, plan: UploadPlan, hash: Uint8Array, onProgress: (done: number) => void) {
    this.#link = link;
    this.#plan = plan;
    this.#hash = hash;
    this.#onProgress = onProgress;
  }

  static async of(link: SmpLink, plan: UploadPlan, onProgress: (done: number) => void): Promise<Upload> {
    return new Upload(link, plan, await sha256(plan.bytes), onProgress);
  }

  get done(): number {
    return this.#done;
  }

  /**
   * Uploads from the current offset on.
   *
   * @throws TransientError if the board was silent.
   * @throws NrfError if it refused, or PortError.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { bytes } = this.#plan;
    let underWay: Chunk[] = [];
    let next = this.#done;
    const drop = () => {
      if (this.#isAhead && underWay.length > 1) {
        this.#link.port.bytes.dropWaiting();
      }
    };
    try {
      while (this.#done < bytes.length) {
        signal.throwIfAborted();
        const most = this.#most(underWay.length);
        while (next < bytes.length && underWay.length < most) {
          const { data, end } = this.#chunk(next);
          const posted = this.#link.post(smpCommand.upload, data, this.#expected(underWay.at(-1)));
          underWay.push({ ...posted, end, expected: null });
          next = end;
        }
        let isDropped = false;
        const answer = await this.#answer(underWay, signal, () => {
          isDropped = true;
          drop();
        });
        const offset = offsetOf(answer);
        const answered = underWay.find(({ sequence }) => sequence === answer.sequence);
        this.#note(offset);
        // A chunk beside the board that waits for another answer will never be sent.
        isDropped ||= answered !== undefined && answered.expected !== null && !isSame(answer.heard, answered.expected);
        this.#shape = AnswerShape.of(answer.packet, offset, answer.heard);
        if (offset === answered?.end && !isDropped) {
          underWay = underWay.filter((chunk) => chunk !== answered);
        } else {
          // The other chunks under way have wrong offsets too, or were dropped.
          drop();
          underWay = [];
          next = offset;
        }
      }
    } catch (error) {
      drop();
      throw error;
    }
  }

  /**
   * Returns the number of chunks that may be under way now.
   *
   * @param count Number of chunks that are under way.
   */
  #most(count: number): number {
    // The first chunk is sent alone, because it may start an erase, and its answer may have the offset of an earlier
    // session.
    if (this.#done === 0) {
      return 1;
    }
    if (count === 0) {
      this.#isAhead = this.#shape !== null && this.#link.port.bytes.canExpectBytes;
    }
    return this.#isAhead ? AHEAD : this.#plan.window;
  }

  /** Returns the board's predicted answer to the previous chunk, for which this one waits; null if nothing waits. */
  #expected(before: Chunk | undefined): ExpectedBytes | null {
    if (!this.#isAhead || before === undefined || this.#shape === null) {
      return null;
    }
    const begins = this.#shape.answer(before.sequence, before.end);
    before.expected = begins;
    return { begins, length: begins.length, pause: 0, limit: deadlines.chunk };
  }

  async #answer(underWay: readonly Chunk[], signal: AbortSignal, onSilence: () => void): Promise<HeardAnswer> {
    const limit =
      this.#done === 0 ? firstChunkLimit(Math.max(this.#plan.slot ?? 0, this.#plan.bytes.length)) : deadlines.chunk;
    const onWire = this.#link.port.bytes.wireTime(underWay.reduce((sum, { bytes }) => sum + bytes, 0));
    const sequences = underWay.map(({ sequence }) => sequence);
    const answer = await this.#link.answer(sequences, limit + onWire, signal, onSilence);
    if (answer === null) {
      throw new TransientError('stopped-answering', `No answer to the chunk at ${this.#done}.`);
    }
    const result = resultOf(answer);
    if (result !== 0) {
      const detail = `Refused at ${this.#done} bytes: ${JSON.stringify(Object.fromEntries(answer.data))}.`;
      const failure = uploadFailure(result, this.#done);
      throw passingErrors.has(result) ? new TransientError(failure, detail) : new NrfError(failure, { detail });
    }
    // Only servers that check the hash of the upload report this, with the last chunk.
    if (answer.data.get('match') === false) {
      throw new NrfError('image-damaged', { detail: 'The hash of the upload does not match.' });
    }
    return answer;
  }

  #note(offset: number): void {
    this.#standstills = offset > this.#done ? 0 : this.#standstills + 1;
    if (this.#standstills > STANDSTILLS || offset > this.#plan.bytes.length) {
      throw new NrfError('write-failed', { detail: `The board keeps asking to continue at ${offset}.` });
    }
    this.#done = offset;
    this.#onProgress(offset);
  }

  /** Builds a chunk that fills a packet: either all remaining bytes, or whole flash units. */
  #chunk(offset: number): { readonly data: Map<string, CborValue>; readonly end: number } {
    const { bytes, number, packet } = this.#plan;
    const data = new Map<string, CborValue>();
    if (offset === 0) {
      if (number > 0) {
        data.set('image', number);
      }
      data.set('len', bytes.length);
      data.set('sha', this.#hash);
    }
    data.set('off', offset);
    // Two bytes are reserved for the length of the data, which is empty here.
    const room = packet - encodeSmp(smpCommand.upload, 0, new Map(data).set('data', new Uint8Array())).length - 2;
    const left = bytes.length - offset;
    const size = left <= room ? left : Math.max(1, room - (room % ALIGNMENT));
    data.set('data', bytes.subarray(offset, offset + size));
    return { data, end: offset + size };
  }
}

function offsetOf({ data }: SmpAnswer): number {
  const offset = numberIn(data, 'off');
  if (offset === null || offset < 0) {
    throw new TransientError('stopped-answering', 'The answer to a chunk has no offset.');
  }
  return offset;
}

/**
 * Returns the failure of a result. The first chunk states the image's size, so an invalid first chunk means no room
 * (`bs_upload`).
 */
function uploadFailure(result: number, done: number): NrfFailure {
  switch (result) {
    case smpError.noMemory:
      return 'no-room';
    case smpError.invalid:
      return done === 0 ? 'no-room' : 'write-failed';
    case smpError.notSupported:
      return 'request-unknown';
    case smpError.notFound:
      return 'type-unsupported';
    case smpError.badState:
    case smpError.busy:
      return 'not-permitted';
    default:
      return 'refused';
  }
}
