/**
 * One object after the other onto a board with secure DFU: created, written in chunks, compared by its CRC-32, executed. Goes on
 * from what the board says it has. Every failure that another try may clear is a `TransientError`.
 */
import { joined } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';
import { createLimit, deadlines } from '../deadlines.ts';
import { NordicError } from '../nordic-failure.ts';
import { TransientError } from '../transient-error.ts';
import {
  type ObjectType,
  objectType,
  op,
  type Progress,
  readProgress,
  readSelection,
  requestFrame,
  type Selection,
  success,
  uint16,
  uint32,
} from './messages.ts';
import { failureOf, resultText } from './results.ts';
import type { SecureLink } from './secure-link.ts';

/** What a garbled request may look like to the board, or what it may manage the next time. */
const passing: ReadonlySet<string> = new Set([
  'request-unknown',
  'request-invalid',
  'object-invalid',
  'not-permitted',
  'operation-failed',
]);

export class SecureTransfer {
  readonly #link: SecureLink;
  readonly #chunk: number;
  readonly #signal: AbortSignal;
  /** Write requests between two receipts; 0: none, and the CRC at the end of the object has to do. */
  #receipts = 0;
  readonly #crcs = new PrefixCrc();

  constructor(link: SecureLink, chunk: number, signal: AbortSignal) {
    this.#link = link;
    this.#chunk = chunk;
    this.#signal = signal;
  }

  /** @param every 1 to 65,535, or 0 for none. */
  async setReceipts(every: number): Promise<void> {
    await this.#ask(op.setReceipts, [uint16(every)], deadlines.request, 'set receipts');
    this.#receipts = every;
  }

  async select(type: ObjectType): Promise<Selection> {
    const data = await this.#ask(op.select, [Uint8Array.of(type)], deadlines.request, 'select');
    return readSelection(data) ?? this.#garbage('select');
  }

  /** Sends what of the init packet is missing, or all of it, and has it checked. A new one makes the board forget all data. */
  async sendInitPacket(packet: Uint8Array, anew: boolean): Promise<void> {
    const { maximum, offset, crc } = await this.select(objectType.initPacket);
    if (packet.length > maximum) {
      throw new NordicError('no-room', {
        detail: `The init packet has ${packet.length} bytes, but only ${maximum} fit.`,
      });
    }
    const has = !anew && offset > 0 && offset <= packet.length && crc === this.#crcs.of(packet, offset);
    if (!has) {
      await this.create(objectType.initPacket, packet.length);
    }
    await this.send(packet, has ? offset : 0, packet.length);
    await this.#ask(op.execute, [], deadlines.executeInit, 'check the init packet', 'init');
  }

  /** Erases the place of the next object, which begins behind the last one that was executed. */
  async create(type: ObjectType, size: number): Promise<void> {
    await this.#ask(op.create, [Uint8Array.of(type), uint32(size)], createLimit(size), `create ${size} bytes`);
  }

  /** Sends `bytes` from `start` to `end` and compares what the board has then: its offset and CRC are from the very first byte. */
  async send(bytes: Uint8Array, start: number, end: number): Promise<Progress> {
    const frames: Uint8Array[] = [];
    for (let at = start; at < end; at += this.#chunk) {
      frames.push(requestFrame(op.write, bytes.subarray(at, Math.min(at + this.#chunk, end))));
    }
    const step = this.#receipts === 0 ? Math.max(1, frames.length) : this.#receipts;
    let before = 0;
    for (let index = 0; index < frames.length; index += step) {
      const batch = joined(...frames.slice(index, index + step));
      this.#link.write(batch);
      before = batch.length;
      if (this.#receipts > 0 && index + step <= frames.length) {
        await this.#receipt(bytes, Math.min(start + (index + step) * this.#chunk, end), before);
        before = 0;
      }
    }
    const data = await this.#ask(op.crc, [], deadlines.request, 'checksum', 'plain', before);
    return this.#mustBe(bytes, end, readProgress(data) ?? this.#garbage('checksum'));
  }

  /** @param last the image is complete with this object: the board looks at all of it. */
  async execute(last: boolean): Promise<void> {
    const limit = last ? deadlines.executeLast : deadlines.execute;
    await this.#ask(op.execute, [], limit, last ? 'check the image' : 'execute', last ? 'last' : 'plain');
  }

  async #receipt(bytes: Uint8Array, end: number, sent: number): Promise<void> {
    const limit = deadlines.request + this.#link.port.bytes.wireTime(sent);
    const answer = await this.#link.answerTo(op.crc, limit, this.#signal);
    if (answer === null || answer.result !== success) {
      throw new TransientError('stopped-answering', `No receipt at ${end} bytes.`);
    }
    this.#mustBe(bytes, end, readProgress(answer.data) ?? this.#garbage('receipt'));
  }

  #mustBe(bytes: Uint8Array, end: number, progress: Progress): Progress {
    if (progress.offset !== end || progress.crc !== this.#crcs.of(bytes, end)) {
      throw new TransientError(
        'image-damaged',
        `The board has ${progress.offset} bytes, but ${end} were sent, or different ones arrived.`,
      );
    }
    return progress;
  }

  #garbage(what: string): never {
    throw new TransientError('stopped-answering', `The answer to: ${what} is too short.`);
  }

  /** @param kind executing the init packet or the last object is where a board says what it thinks of them. */
  async #ask(
    opcode: number,
    parameters: readonly Uint8Array[],
    limit: number,
    what: string,
    kind: 'plain' | 'init' | 'last' = 'plain',
    before = 0,
  ): Promise<Uint8Array> {
    this.#signal.throwIfAborted();
    const answer = await this.#link.request(opcode, parameters, { limit, signal: this.#signal, before });
    if (answer === null) {
      throw new TransientError('stopped-answering', `No answer to: ${what}.`);
    }
    if (answer.result === success) {
      return answer.data;
    }
    const failure = failureOf(answer);
    const detail = `Refused: ${what}; ${resultText(answer)}.`;
    // All of the init packet is there, by its CRC: what is invalid about it is its signature (`nrf_dfu_validation.c`).
    if (kind === 'init' && failure === 'object-invalid') {
      throw new NordicError('wrong-key', { detail });
    }
    throw passing.has(failure) ? new TransientError(failure, detail) : new NordicError(failure, { detail });
  }
}

/** CRC-32 of the first bytes of something, each time of a little more: only what is new is calculated. */
class PrefixCrc {
  #bytes: Uint8Array | null = null;
  #end = 0;
  #crc = 0;

  of(bytes: Uint8Array, end: number): number {
    const goesOn = bytes === this.#bytes && end >= this.#end;
    const start = goesOn ? this.#end : 0;
    this.#crc = crc32(bytes.subarray(start, end), goesOn ? this.#crc : 0);
    this.#bytes = bytes;
    this.#end = end;
    return this.#crc;
  }
}
