/**
 * Uploading one image by SMP: chunks with their offsets, of which the board says how far it has come. A board that wants another
 * offset than expected gets that: so a lost packet costs only itself.
 */
import type { ExpectedBytes } from '@wirebench/serial/port';
import { isSame } from '../../core/bytes.ts';
import { sha256 } from '../../images/sha256.ts';
import { deadlines, firstChunkLimit } from '../deadlines.ts';
import { NordicError, type NordicFailure } from '../nordic-failure.ts';
import { TransientError } from '../transient-error.ts';
import { AnswerShape } from './answer-shape.ts';
import type { CborValue } from './cbor.ts';
import { encodeSmp, numberIn, passingErrors, resultOf, type SmpAnswer, smpCommand, smpError } from './smp.ts';
import type { HeardAnswer, SmpLink } from './smp-link.ts';

/** Flash is written in words, on some parts in 16 or 32 bytes: what is over would be asked for again. */
const ALIGNMENT = 32;
/** Chunks that the board refused to take without a fault being known; then it does not get on. */
const STANDSTILLS = 8;

export interface UploadPlan {
  readonly bytes: Uint8Array;
  /** Number under which the board knows the image; 0 is left out. */
  readonly number: number;
  /** Bytes of the slot that it goes to; null or left out when the board does not tell. */
  readonly slot?: number | null;
  /** Largest packet that the board takes, in bytes. */
  readonly packet: number;
  /** Packets that may be under way at once. */
  readonly window: number;
}

/** Chunks that are under way to a board that is somewhere else, where each waits for the answer to the one before. */
const AHEAD = 6;

interface Chunk {
  readonly sequence: number;
  /** On the wire. */
  readonly bytes: number;
  /** The offset behind it. */
  readonly end: number;
  /** The answer for which the next chunk waits beside the board; null: none does. */
  expected: Uint8Array | null;
}

export class Upload {
  readonly #link: SmpLink;
  readonly #plan: UploadPlan;
  readonly #hash: Uint8Array;
  readonly #onProgress: (done: number) => void;
  /** Bytes that the board has. */
  #done = 0;
  #standstills = 0;
  /** How the last chunk was answered; null where that cannot be predicted. */
  #shape: AnswerShape | null = null;
  /** Chunks under way wait beside the board. */
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

  /** Goes on from where the board is. @throws TransientError when it was silent; NordicError when it refused; PortError. */
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
        // What waits for another answer beside the board waits in vain.
        isDropped ||= answered !== undefined && answered.expected !== null && !isSame(answer.heard, answered.expected);
        this.#shape = AnswerShape.of(answer.packet, offset, answer.heard);
        if (offset === answered?.end && !isDropped) {
          underWay = underWay.filter((chunk) => chunk !== answered);
        } else {
          // The others under way are for an offset that it does not want either, or are not on their way any more.
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

  /** Chunks that may be under way now. @param count those that are */
  #most(count: number): number {
    // The first chunk may begin an erase, and may be answered with an offset of a session before: it goes alone.
    if (this.#done === 0) {
      return 1;
    }
    if (count === 0) {
      this.#isAhead = this.#shape !== null && this.#link.port.bytes.canExpectBytes;
    }
    return this.#isAhead ? AHEAD : this.#plan.window;
  }

  /** What the board sends when it has taken the chunk before; null: nothing is waited for there. */
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
      throw passingErrors.has(result) ? new TransientError(failure, detail) : new NordicError(failure, { detail });
    }
    // Only servers that check the hash of the upload say this, with the last chunk.
    if (answer.data.get('match') === false) {
      throw new NordicError('image-damaged', { detail: 'The hash of the upload does not match.' });
    }
    return answer;
  }

  #note(offset: number): void {
    this.#standstills = offset > this.#done ? 0 : this.#standstills + 1;
    if (this.#standstills > STANDSTILLS || offset > this.#plan.bytes.length) {
      throw new NordicError('write-failed', { detail: `The board keeps asking to continue at ${offset}.` });
    }
    this.#done = offset;
    this.#onProgress(offset);
  }

  /** As much as fits into a packet; all that is left, or whole units of flash. */
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
    // Two bytes for the length of the data, in the place of none.
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

/** The first chunk says how long the image is: what is invalid about it is that (`bs_upload`). */
function uploadFailure(result: number, done: number): NordicFailure {
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
