/**
 * Sends objects with secure DFU one after the other: create, write in chunks, compare the CRC-32, execute. It resumes
 * at the board's offset. Failures that another try may clear are `TransientError`s.
 */

import type { ExpectedBytes } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import { hexNumber } from '../../core/bytes.ts';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import { crc32 } from '../../images/crc32.ts';
import { exchangeAhead } from '../../write-ahead.ts';
import { createLimit, deadlines } from '../deadlines.ts';
import { NrfError, type NrfFailure } from '../nrf-failure.ts';
import { TransientError } from '../transient-error.ts';
import {
  type Answer,
  answerFrame,
  extendedError,
  MIN_OBJECT,
  type ObjectType,
  objectType,
  op,
  type Progress,
  progressData,
  readProgress,
  readSelection,
  requestFrame,
  type Selection,
  success,
  uint16,
  uint32,
} from './messages.ts';
import type { SecureLink } from './secure-link.ts';

/** Failures that a garbled request may cause, or that may not recur. */
const passing: ReadonlySet<string> = new Set([
  'request-unknown',
  'request-invalid',
  'object-invalid',
  'not-permitted',
  'operation-failed',
]);

/**
 * Requests under way to a remote board: two objects of 4 KiB with their creation, checksum and execution. One object
 * keeps a wire at 115,200 baud busy for 0.4 s, and the flash for 0.1 s.
 */
const AHEAD = 6;
const nothing: Uint8Array = new Uint8Array(0);

/** A request with its expected answer. */
export interface SecureStep {
  readonly opcode: number;
  /** The request, or several that are answered as one. */
  readonly frames: Uint8Array;
  /** Milliseconds, in addition to the time on the wire. */
  readonly limit: number;
  readonly what: string;
  /** Progress that the answer must report. */
  readonly progress?: Progress;
  /** True: a refusal means that the signature is wrong. */
  readonly isInit?: boolean;
  /** Called when all earlier requests have been answered. */
  readonly begins?: () => void;
  readonly answered?: (data: Uint8Array) => void;
}

/** Maps the results of a secure DFU bootloader to failures. */

/** `nrf_dfu_result_t` (nRF5 SDK 17.1, "DFU protocol", section "Result codes"). It does not define 0x06 and 0x09. */
const resultFailures: Readonly<Record<number, NrfFailure>> = {
  0: 'request-invalid',
  2: 'request-unknown',
  3: 'request-invalid',
  4: 'no-room',
  5: 'object-invalid',
  // `InvalidSignature` of older SDKs.
  6: 'wrong-key',
  7: 'type-unsupported',
  8: 'not-permitted',
  10: 'operation-failed',
};

/** `nrf_dfu_ext_error_code_t` (same source, section "Extended error codes"). */
const extendedFailures: Readonly<Record<number, NrfFailure>> = {
  2: 'command-format',
  3: 'command-unknown',
  4: 'init-packet-invalid',
  5: 'version-too-low',
  6: 'wrong-hardware',
  7: 'wrong-softdevice',
  8: 'signature-missing',
  9: 'hash-type',
  10: 'hash-failed',
  11: 'signature-type',
  12: 'image-damaged',
  13: 'no-room',
  14: 'already-there',
};

/** Returns the failure of an answer. Unknown codes become `refused`, with the number in the detail. */
export function failureOf({ result, data }: Answer): NrfFailure {
  const table = result === extendedError ? extendedFailures : resultFailures;
  return table[result === extendedError ? (data[0] ?? 0) : result] ?? 'refused';
}

/** Returns the result as text: `result 0x0b, extended error 0x06`. */
export function resultText({ result, data }: Answer): string {
  const text = `result ${hexNumber(result, 2)}`;
  return result === extendedError ? `${text}, extended error ${hexNumber(data[0] ?? 0, 2)}` : text;
}

export class SecureTransfer {
  readonly #link: SecureLink;
  readonly #chunk: number;
  readonly #signal: AbortSignal;
  /** Write requests per receipt. 0: no receipts; only the CRC at the end of the object is compared. */
  #receipts = 0;
  readonly #crcs = new PrefixCrc();

  constructor(link: SecureLink, chunk: number, signal: AbortSignal) {
    this.#link = link;
    this.#chunk = chunk;
    this.#signal = signal;
  }

  /** @param every 1 to 65,535, or 0 for no receipts. */
  async setReceipts(every: number): Promise<void> {
    await this.exchange([request(op.setReceipts, [uint16(every)], deadlines.request, 'set receipts')].values());
    this.#receipts = every;
  }

  async select(type: ObjectType): Promise<Selection> {
    let data = nothing;
    const step = request(op.select, [Uint8Array.of(type)], deadlines.request, 'select');
    await this.exchange([{ ...step, answered: (found: Uint8Array) => (data = found) }].values());
    const selection = readSelection(data) ?? garbage('select');
    if (!isUsableSize(selection.maximum, type === objectType.data ? MIN_OBJECT : 1)) {
      throw new NrfError('size-unusable', { detail: reportedSizeText('Largest object', selection.maximum) });
    }
    return selection;
  }

  /**
   * Sends the missing part of the init packet, or all of it, and has the board check it. A new init packet makes the
   * board drop all image data.
   */
  async sendInitPacket(packet: Uint8Array, anew: boolean): Promise<void> {
    const { maximum, offset, crc } = await this.select(objectType.initPacket);
    if (packet.length > maximum) {
      throw new NrfError('no-room', {
        detail: `The init packet has ${packet.length} bytes, but only ${maximum} fit.`,
      });
    }
    const has = !anew && offset > 0 && offset <= packet.length && crc === this.#crcs.of(packet, offset);
    await this.exchange(
      [
        ...(has ? [] : [this.create(objectType.initPacket, packet.length)]),
        ...this.send(packet, has ? offset : 0, packet.length),
        { ...request(op.execute, [], deadlines.executeInit, 'check the init packet'), isInit: true },
      ].values(),
    );
  }

  /** Erases the place of the next object, which begins after the last executed one. */
  create(type: ObjectType, size: number): SecureStep {
    return request(op.create, [Uint8Array.of(type), uint32(size)], createLimit(size), `create ${size} bytes`);
  }

  /**
   * Sends `bytes` from `start` to `end`, with the expected progress. Offset and CRC count from the first byte of the
   * image.
   */
  *send(bytes: Uint8Array, start: number, end: number): Generator<SecureStep> {
    const frames: Uint8Array[] = [];
    for (let at = start; at < end; at += this.#chunk) {
      frames.push(requestFrame(op.write, bytes.subarray(at, Math.min(at + this.#chunk, end))));
    }
    const upTo = (place: number) => ({ offset: place, crc: this.#crcs.of(bytes, place) });
    const checksum = requestFrame(op.crc);
    if (this.#receipts === 0) {
      yield {
        ...request(op.crc, [], deadlines.request, 'checksum'),
        progress: upTo(end),
        frames: joined(...frames, checksum),
      };
      return;
    }
    for (let index = 0; index < frames.length; index += this.#receipts) {
      const next = index + this.#receipts;
      const batch = joined(...frames.slice(index, next));
      if (next > frames.length) {
        yield {
          ...request(op.crc, [], deadlines.request, 'checksum'),
          progress: upTo(end),
          frames: joined(batch, checksum),
        };
        return;
      }
      const place = Math.min(start + next * this.#chunk, end);
      const receipt = request(op.crc, [], deadlines.request, `receipt at ${place} bytes`);
      yield { ...receipt, progress: upTo(place), frames: batch };
    }
    yield { ...request(op.crc, [], deadlines.request, 'checksum'), progress: upTo(end) };
  }

  /** @param last True if this object completes the image, so that the board checks all of it. */
  execute(last: boolean): SecureStep {
    const limit = last ? deadlines.executeLast : deadlines.execute;
    return request(op.execute, [], limit, last ? 'check the image' : 'execute');
  }

  /**
   * Exchanges requests and answers in order. For a remote board, the next requests wait beside it.
   *
   * @throws TransientError for silence, and for failures that another try may clear.
   * @throws NrfError, PortError, or the reason of the signal.
   */
  async exchange(steps: Iterator<SecureStep>): Promise<void> {
    const port = this.#link.port.bytes;
    await exchangeAhead<SecureStep>(port, {
      next: () => {
        const { done, value } = steps.next();
        return done === true ? null : value;
      },
      ahead: () => (port.canExpectBytes ? AHEAD : 1),
      send: ({ frames }, before) => {
        this.#signal.throwIfAborted();
        this.#link.write(frames, before === null ? null : expected(before));
      },
      take: async (step) => {
        step.begins?.();
        const limit = step.limit + port.wireTime(step.frames.length);
        this.#settle(step, await this.#link.answerTo(step.opcode, limit, this.#signal));
        return true;
      },
    });
  }

  #settle({ what, progress, isInit = false, answered }: SecureStep, answer: Answer | null): void {
    if (answer === null) {
      throw new TransientError('stopped-answering', `No answer to: ${what}.`);
    }
    if (answer.result !== success) {
      const failure = failureOf(answer);
      const detail = `Refused: ${what}; ${resultText(answer)}.`;
      // The CRC shows that the whole init packet has arrived, so its signature is invalid (`nrf_dfu_validation.c`).
      if (isInit && failure === 'object-invalid') {
        throw new NrfError('wrong-key', { detail });
      }
      throw passing.has(failure) ? new TransientError(failure, detail) : new NrfError(failure, { detail });
    }
    if (progress !== undefined) {
      mustBe(progress, readProgress(answer.data) ?? garbage(what));
    }
    answered?.(answer.data);
  }
}

function request(opcode: number, parameters: readonly Uint8Array[], limit: number, what: string): SecureStep {
  return { opcode, frames: requestFrame(opcode, ...parameters), limit, what };
}

/** Returns the only successful answer to a request. Works only for answers that are empty or report progress. */
function expected({ opcode, progress, limit }: SecureStep): ExpectedBytes {
  const begins = answerFrame(opcode, progress === undefined ? nothing : progressData(progress));
  return { begins, length: begins.length, pause: 0, limit };
}

function mustBe(wanted: Progress, found: Progress): void {
  if (found.offset !== wanted.offset || found.crc !== wanted.crc) {
    throw new TransientError(
      'image-damaged',
      `The board has ${found.offset} bytes, but ${wanted.offset} were sent, or different ones arrived.`,
    );
  }
}

function garbage(what: string): never {
  throw new TransientError('stopped-answering', `The answer to: ${what} is too short.`);
}

/** CRC-32 of growing prefixes; only the new bytes are processed. */
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
