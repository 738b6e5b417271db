/**
 * Sends files by ZMODEM (Forsberg, "The ZMODEM Inter Application File Transfer Protocol", 1988). Data streams without
 * waiting, at most `WINDOW` bytes ahead of what the receiver has confirmed. So a cancel and a request for repetition
 * take effect soon, however much the system would buffer.
 */
import { crc32 } from '../crc.ts';
import { encodeFileFacts } from '../file-facts.ts';
import { TransferEnd } from '../transfer-end.ts';
import { type FileProgress, FileWindow, type TransferSession } from '../transfer-session.ts';
import type { FileReport, OutgoingFile } from '../transfer-types.ts';
import {
  type CrcBits,
  conversion,
  Escaper,
  type FrameType,
  flagBytes,
  frame,
  positionBytes,
  positionOf,
  receiverFlag,
  type SubpacketEnd,
  subpacketEnd,
} from './frame.ts';
import { ANSWER_LIMIT, FramePort, MAX_ERRORS } from './frame-port.ts';
import type { FrameEvent } from './frame-reader.ts';

/** Bytes of a subpacket on a clean line, and the fewest on a noisy one (section 9.3). */
const MAX_SUBPACKET = 1_024;
const MIN_SUBPACKET = 64;
/** Intact bytes in a row after which subpackets grow again. */
const GROW_AFTER = 8_192;
/** Bytes that may be under way without a confirmation. */
const WINDOW = 16_384;
/** A confirmation is asked for after this many bytes. */
const CONFIRM_EVERY = 4_096;
/** Requests for the receiver before the sender gives up: one minute. */
const START_TRIES = 6;
const FINISH_TRIES = 3;
/** Longest wait for the answer to ZEOF, in milliseconds. rz needs up to 20 s of silence before it asks again. */
const END_LIMIT = 30_000;
const END_TRIES = 5;
/** Positions are 32 bits wide. */
const MAX_SIZE = 0xffff_ffff;
/** Bytes read at once to compute a CRC. */
const CRC_BYTES = 1 << 16;

export interface SendZmodemOptions {
  /** True: the receiver continues a file that it has a part of. */
  readonly resume: boolean;
}

type Header = Extract<FrameEvent, { kind: 'header' }>;

export async function sendZmodem(
  session: TransferSession,
  files: readonly OutgoingFile[],
  { resume }: SendZmodemOptions,
): Promise<void> {
  if (files.some(({ size }) => size > MAX_SIZE)) {
    throw new TransferEnd('too-large');
  }
  const sender = new Sender(session, resume);
  await sender.start();
  for (const [index, file] of files.entries()) {
    await sender.sendFile(file, files.slice(index));
  }
  await sender.finish();
}

class Sender {
  readonly #session: TransferSession;
  readonly #port: FramePort;
  readonly #resume: boolean;
  readonly #escaper = new Escaper();
  #bits: CrcBits = 16;
  /** Bytes of a frame after which the receiver must confirm; infinite for one that takes a stream. */
  #frameBytes = Number.POSITIVE_INFINITY;
  #subpacket = MAX_SUBPACKET;
  #intact = 0;

  constructor(session: TransferSession, resume: boolean) {
    this.#session = session;
    this.#port = new FramePort(session);
    this.#resume = resume;
  }

  /** Waits until the receiver says what it can do. */
  async start(): Promise<void> {
    for (let tries = 0; tries < START_TRIES; tries++) {
      await this.#port.sendHex(frame.ZRQINIT, flagBytes(0));
      for (let answer = await this.#header(); answer !== null; answer = await this.#header()) {
        if (answer.type === frame.ZRINIT) {
          this.#adopt(answer.data);
          return;
        }
        if (answer.type === frame.ZCHALLENGE) {
          await this.#port.sendHex(frame.ZACK, answer.data);
        }
      }
    }
    throw new TransferEnd('no-answer');
  }

  async sendFile(file: OutgoingFile, left: readonly OutgoingFile[]): Promise<void> {
    const source = new FileWindow(file);
    const position = await this.#announce(file, left, source);
    if (position === null) {
      this.#report({ name: file.name, bytes: 0, from: 0, state: 'skipped' });
      return;
    }
    const progress = this.#session.track(file.name, file.size, this.#session.files.length + left.length, position);
    const entry = (state: FileReport['state']) => ({
      name: file.name,
      bytes: progress.position,
      from: position,
      state,
    });
    try {
      this.#report(entry(await this.#stream(file, source, position, progress)));
    } catch (error) {
      this.#report(entry('partial'));
      throw error;
    }
  }

  /** Ends the session. The files are safe by then, so a missing answer is not a failure. */
  async finish(): Promise<void> {
    for (let tries = 0; tries < FINISH_TRIES; tries++) {
      await this.#port.sendHex(frame.ZFIN, flagBytes(0));
      for (let answer = await this.#header(); answer !== null; answer = await this.#header()) {
        if (answer.type === frame.ZFIN) {
          await this.#port.skipHeaderEnd();
          await this.#session.write(Uint8Array.of(0x4f, 0x4f));
          return;
        }
      }
    }
  }

  #adopt(flags: Uint8Array): void {
    const [low = 0, high = 0, , zf0 = 0] = flags;
    const buffer = low | (high << 8);
    this.#bits = zf0 & receiverFlag.CANFC32 ? 32 : 16;
    this.#escaper.escapesControls = (zf0 & receiverFlag.ESCCTL) !== 0;
    // A receiver that cannot write and receive at once gets one subpacket at a time.
    const overlapped = zf0 & receiverFlag.CANOVIO ? Number.POSITIVE_INFINITY : MAX_SUBPACKET;
    const fullDuplex = zf0 & receiverFlag.CANFDX ? Number.POSITIVE_INFINITY : CONFIRM_EVERY;
    this.#frameBytes = Math.min(buffer || Number.POSITIVE_INFINITY, overlapped, fullDuplex);
  }

  /** Announces a file. Returns the position from which the receiver wants it; null if it does not want it. */
  async #announce(file: OutgoingFile, left: readonly OutgoingFile[], source: FileWindow): Promise<number | null> {
    const bytesLeft = left.reduce((sum, { size }) => sum + size, 0);
    const facts = encodeFileFacts(file, ` ${left.length} ${bytesLeft}`);
    const flags = flagBytes(this.#resume ? conversion.ZCRESUM : conversion.ZCBIN);
    for (let tries = 0; tries < MAX_ERRORS; tries++) {
      await this.#session.write(this.#escaper.encodeBinaryHeader(frame.ZFILE, flags, this.#bits));
      await this.#session.write(this.#escaper.encodeSubpacket(facts, subpacketEnd.ZCRCW, this.#bits));
      let stale = 0;
      for (let answer = await this.#header(); answer !== null; answer = await this.#header()) {
        switch (answer.type) {
          case frame.ZRPOS:
            return Math.min(positionOf(answer.data), file.size);
          case frame.ZSKIP:
            return null;
          case frame.ZCRC:
            await this.#sendCrc(file, source, positionOf(answer.data));
            break;
          default:
            checkEnd(answer);
            stale++;
        }
        // One ZRINIT may have crossed the announcement. A second one, or ZNAK, says that it did not arrive.
        if (answer.type === frame.ZNAK || stale > 1) {
          break;
        }
      }
      this.#session.repeats++;
    }
    throw new TransferEnd('no-answer');
  }

  /** Sends the file from `start` until the receiver confirms its end, or skips the rest of it. */
  async #stream(
    file: OutgoingFile,
    source: FileWindow,
    start: number,
    progress: FileProgress,
  ): Promise<'complete' | 'skipped'> {
    let at = start;
    let errors = 0;
    let furthest = start;
    for (;;) {
      const asked = await this.#sendFrames(file, source, at, progress);
      if (asked === 'skip') {
        return 'skipped';
      }
      const end = asked ?? (await this.#sendEnd(file.size));
      if (end === 'complete') {
        progress.moveTo(file.size);
        return 'complete';
      }
      if (end === 'skip') {
        return 'skipped';
      }
      this.#session.repeats++;
      this.#subpacket = Math.max(MIN_SUBPACKET, this.#subpacket >> 1);
      this.#intact = 0;
      errors = end > furthest ? 1 : errors + 1;
      furthest = Math.max(furthest, end);
      if (errors > MAX_ERRORS) {
        throw new TransferEnd('too-many-errors');
      }
      at = Math.min(end, file.size);
      progress.moveTo(at);
    }
  }

  /** Sends data from `start` to the end of the file. Returns the position that the receiver asks for; null at the end. */
  async #sendFrames(
    file: OutgoingFile,
    source: FileWindow,
    start: number,
    progress: FileProgress,
  ): Promise<number | 'skip' | null> {
    let at = start;
    let confirmed = start;
    let isOpen = false;
    let frameStart = start;
    let lastAsked = start;
    for (;;) {
      // Handles answers, and waits for one while the window is full.
      for (;;) {
        const isFull = at - confirmed >= WINDOW;
        const event = isFull ? await this.#port.next() : this.#port.poll();
        if (event === null && isFull) {
          return await this.#closeFrame(isOpen, confirmed);
        }
        if (event === null) {
          break;
        }
        if (event.kind !== 'header') {
          continue;
        }
        const position = positionOf(event.data);
        if (event.type === frame.ZACK && position > confirmed && position <= at) {
          confirmed = position;
          progress.moveTo(position);
        } else if (event.type === frame.ZRPOS) {
          return await this.#closeFrame(isOpen, this.#latestRequest(position));
        } else if (event.type === frame.ZSKIP) {
          await this.#closeFrame(isOpen, 0);
          return 'skip';
        } else {
          checkEnd(event);
        }
      }
      const data = await source.read(at, this.#subpacket);
      if (!isOpen) {
        await this.#session.write(this.#escaper.encodeBinaryHeader(frame.ZDATA, positionBytes(at), this.#bits));
        frameStart = at;
      }
      at += data.length;
      let end: SubpacketEnd = subpacketEnd.ZCRCG;
      if (at === file.size) {
        end = subpacketEnd.ZCRCE;
      } else if (at - frameStart >= this.#frameBytes) {
        end = subpacketEnd.ZCRCW;
      } else if (at - lastAsked >= CONFIRM_EVERY) {
        end = subpacketEnd.ZCRCQ;
        lastAsked = at;
      }
      await this.#session.write(this.#escaper.encodeSubpacket(data, end, this.#bits));
      isOpen = end === subpacketEnd.ZCRCG || end === subpacketEnd.ZCRCQ;
      this.#grow(data.length);
      if (end === subpacketEnd.ZCRCE) {
        return null;
      }
      if (end === subpacketEnd.ZCRCW) {
        const answer = await this.#confirmation(at);
        if (answer !== at) {
          return answer;
        }
        confirmed = at;
        lastAsked = at;
        progress.moveTo(at);
      }
    }
  }

  /** Waits for the confirmation of a frame. Returns `at` if all arrived, else the position to go on from. */
  async #confirmation(at: number): Promise<number | 'skip'> {
    for (let answer = await this.#header(); answer !== null; answer = await this.#header()) {
      const position = positionOf(answer.data);
      if (answer.type === frame.ZACK && position === at) {
        return at;
      }
      if (answer.type === frame.ZRPOS) {
        return this.#latestRequest(position);
      }
      if (answer.type === frame.ZSKIP) {
        return 'skip';
      }
      checkEnd(answer);
    }
    return Math.max(0, at - Math.min(this.#frameBytes, WINDOW));
  }

  /** Ends an open frame before another one begins, so that the receiver looks for its header. */
  async #closeFrame<Result>(isOpen: boolean, result: Result): Promise<Result> {
    if (isOpen) {
      await this.#session.write(this.#escaper.encodeSubpacket(new Uint8Array(), subpacketEnd.ZCRCE, this.#bits));
    }
    return result;
  }

  /** Takes further requests that have arrived: the last one counts. */
  #latestRequest(first: number): number {
    let position = first;
    for (let event = this.#port.poll(); event !== null; event = this.#port.poll()) {
      if (event.kind === 'header' && event.type === frame.ZRPOS) {
        position = positionOf(event.data);
      }
    }
    return position;
  }

  /**
   * Says that the file ends. Returns `complete`, or the position that the receiver asks for.
   *
   * A receiver ignores ZEOF at another position than its own, also if its request for that position was damaged on the way.
   * It asks again after a silence, so the wait is longer than its two time limits.
   */
  async #sendEnd(size: number): Promise<'complete' | 'skip' | number> {
    for (let tries = 0; tries < END_TRIES; tries++) {
      if (tries > 0) {
        this.#session.repeats++;
      }
      await this.#port.sendHex(frame.ZEOF, positionBytes(size));
      for (let event = await this.#port.next(END_LIMIT); event !== null; event = await this.#port.next(END_LIMIT)) {
        if (event.kind !== 'header') {
          continue;
        }
        switch (event.type) {
          case frame.ZRINIT:
            return 'complete';
          case frame.ZRPOS:
            return this.#latestRequest(positionOf(event.data));
          case frame.ZSKIP:
            return 'skip';
          default:
            checkEnd(event);
        }
      }
    }
    throw new TransferEnd('no-answer');
  }

  async #sendCrc(file: OutgoingFile, source: FileWindow, count: number): Promise<void> {
    const end = count === 0 ? file.size : Math.min(count, file.size);
    let crc = 0;
    for (let at = 0; at < end; ) {
      const part = await source.read(at, Math.min(CRC_BYTES, end - at));
      crc = crc32(part, crc);
      at += part.length;
    }
    await this.#port.sendHex(frame.ZCRC, positionBytes(crc));
  }

  #grow(bytes: number): void {
    this.#intact += bytes;
    if (this.#subpacket < MAX_SUBPACKET && this.#intact >= GROW_AFTER) {
      this.#subpacket <<= 1;
      this.#intact = 0;
    }
  }

  #report(report: FileReport): void {
    this.#session.files.push(report);
  }

  /** Waits for a header. Damaged ones and stray data are skipped. */
  async #header(limit = ANSWER_LIMIT): Promise<Header | null> {
    for (;;) {
      const event = await this.#port.next(limit);
      if (event === null || event.kind === 'header') {
        return event;
      }
    }
  }
}

/** @throws TransferEnd for headers with which a receiver gives up. */
function checkEnd({ type }: { readonly type: FrameType }): void {
  if (type === frame.ZFIN || type === frame.ZCAN || type === frame.ZABORT || type === frame.ZFERR) {
    throw new TransferEnd('peer-cancelled');
  }
}
