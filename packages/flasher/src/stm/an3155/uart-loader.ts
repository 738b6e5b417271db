/**
 * The bootloader over UART (AN3155): the steps of each command, the meaning of a refusal at each step, and recovery.
 */
import type { Clock } from '@wirebench/clock';
import type { ExpectedBytes } from '@wirebench/port';
import { hexNumber } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { exchangeAhead } from '../../write-ahead.ts';
import { deadlines, eraseAllLimit, eraseLimit, writeLimit } from '../deadlines.ts';
import type { Loader, TakeBlock } from '../loader.ts';
import { flashStart, type Sector } from '../parts/flash-layout.ts';
import type { StmEntry } from '../stm-board.ts';
import { StmError, type StmFailure } from '../stm-failure.ts';
import { linesFor, resetPart } from './entry.ts';
import {
  ACK,
  commandFrame,
  commands,
  crcPolynomial,
  crcStart,
  dataFrame,
  eraseAllFrame,
  eraseFrame,
  extendedEraseAll,
  extendedEraseFrame,
  maximumBlock,
  readLengthFrame,
  specialEraseFrame,
  wordFrame,
  xorOf,
} from './frames.ts';
import { type BootloaderFacts, parseId } from './replies.ts';
import { findStep, sync } from './synchronise.ts';
import type { Reply, UartLink } from './uart-link.ts';

/** Pages per erase command, of 255 or 511 possible (sections 3.7 and 3.8). Few, so that a cancel takes effect soon. */
const PAGES_AT_ONCE = 32;
/** Size in bytes above which a sector gets its own erase command, because its erase takes long. */
const SMALL_SECTOR = 8_192;
/** Requests before the part is reset, and sync bytes after the reset. */
const RECOVERY_STEPS = 6;
const RECOVERY_SYNCS = 4;

/**
 * Blocks under way to a remote bootloader: 8 KiB, which take 0.8 s at 115,200 baud and 0.1 s at 921,600. Each block
 * is three requests.
 */
const BLOCKS_AHEAD = 32;
const REQUESTS = 3;
const acknowledgement = Uint8Array.of(ACK);
const nothing = new Uint8Array(0);

/** One frame and its expected answer. */
interface Request {
  readonly frame: Uint8Array;
  /** Meaning of a refusal. */
  readonly refusal: StmFailure;
  readonly what: string;
  /** Milliseconds until the acknowledgement, in addition to the time on the wire. Default: the limit of commands. */
  readonly limit?: number;
  /** Bytes after the acknowledgement; default 0. */
  readonly payload?: number;
  /** Runs while the frame is on the wire. */
  readonly meanwhile?: () => void;
  readonly answered?: (payload: Uint8Array) => void;
}

/** Frames of one block to write, prepared before the board has acknowledged the previous block. */
interface BlockFrames {
  readonly address: Uint8Array;
  readonly data: Uint8Array;
}

export class UartLoader implements Loader {
  readonly clock: Clock;
  readonly blockSize = maximumBlock;
  readonly eraseAll: (signal: AbortSignal, size?: number) => Promise<void>;
  readonly checksum: Loader['checksum'];
  readonly removeWriteProtection: Loader['removeWriteProtection'];
  readonly facts: BootloaderFacts;
  readonly #link: UartLink;
  readonly #entry: StmEntry;
  /** Latest time at which the bootloader has finished its last step. */
  #doneAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, link: UartLink, entry: StmEntry, facts: BootloaderFacts) {
    this.clock = clock;
    this.#link = link;
    this.#entry = entry;
    this.facts = facts;
    this.eraseAll = (signal, size) => this.#eraseAll(signal, size);
    this.checksum = facts.commands.has(commands.getChecksum) ? (range, signal) => this.#checksum(range, signal) : null;
    this.removeWriteProtection = facts.commands.has(commands.writeUnprotect)
      ? (signal) =>
          this.#unprotect(
            commands.writeUnprotect,
            'write-failed',
            'remove the write protection',
            deadlines.unprotect,
            signal,
          )
      : null;
  }

  get baudRate(): number {
    return this.#link.port.baudRate;
  }

  get over(): AbortSignal {
    return this.#link.port.over;
  }

  get sent(): number {
    return this.#link.sent;
  }

  /** Reads the product ID by GetID (section 3.3). */
  async productId(signal: AbortSignal): Promise<number> {
    await this.#step(commandFrame(commands.getId), 'refused', 'GetID', signal);
    const [count = 0] = await this.#take(1, 'GetID', signal);
    const id = parseId(await this.#take(count + 1, 'GetID', signal));
    await this.#acknowledged(deadlines.acknowledge, 'refused', 'GetID', signal);
    this.#mustBeAll('GetID');
    return id;
  }

  /**
   * Returns true if flash can be read. With read protection the bootloader refuses the command before it receives an
   * address (section 3.4).
   */
  async mayRead(signal: AbortSignal): Promise<boolean> {
    const reply = await this.#link.exchange(commandFrame(commands.readMemory), deadlines.acknowledge, signal);
    if (reply === 'late') {
      throw new StmError('stopped-answering', { detail: 'No answer to: read.' });
    }
    if (reply === 'nack') {
      await this.#link.quiet(signal);
      return false;
    }
    const first = { offset: flashStart, length: 4 };
    await this.#inOrder(readRequests(first, `read at ${hexNumber(flashStart, 8)}`), signal);
    return true;
  }

  async read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    let read: Uint8Array = nothing;
    await this.readBlocks([{ offset: address, length }], signal, (_, bytes) => {
      read = bytes;
      return false;
    });
    return read;
  }

  /** Reads blocks. Only few are requested ahead at first, because blocks after the last wanted one are read in vain. */
  async readBlocks(blocks: Iterable<FlashRange>, signal: AbortSignal, take: TakeBlock): Promise<void> {
    let isWanted = true;
    let taken = 0;
    function* requests(): Generator<Request> {
      for (const block of blocks) {
        if (!isWanted) {
          return;
        }
        const what = `read at ${hexNumber(block.offset, 8)}`;
        yield { frame: commandFrame(commands.readMemory), refusal: 'refused', what };
        yield* readRequests(block, what, (bytes) => {
          taken++;
          isWanted &&= take(block, bytes);
        });
      }
    }
    await this.#inOrder(requests(), signal, () => REQUESTS * Math.min(BLOCKS_AHEAD, 1 + taken));
  }

  async write(address: number, bytes: Uint8Array, signal: AbortSignal, written: (done: number) => void): Promise<void> {
    function* requests(): Generator<Request> {
      let frames = framesAt(address, bytes, 0);
      for (let at = 0; at < bytes.length; at += maximumBlock) {
        const what = `write at ${hexNumber(address + at, 8)}`;
        const { address: place, data } = frames;
        const end = Math.min(at + maximumBlock, bytes.length);
        yield { frame: commandFrame(commands.writeMemory), refusal: 'refused', what };
        yield { frame: place, refusal: 'outside-flash', what };
        yield {
          frame: data,
          refusal: 'write-failed',
          what,
          limit: writeLimit(data.length),
          meanwhile: () => {
            if (end < bytes.length) {
              frames = framesAt(address, bytes, end);
            }
          },
          answered: () => written(end),
        };
      }
    }
    await this.#inOrder(requests(), signal, () => REQUESTS * BLOCKS_AHEAD);
  }

  async erase(sectors: readonly Sector[], signal: AbortSignal, erased: (done: number) => void): Promise<void> {
    for (let done = 0; done < sectors.length; ) {
      const batch = batchFrom(sectors, done);
      await this.#eraseBatch(batch, signal);
      done += batch.length;
      erased(done);
    }
  }

  removeReadProtection(signal: AbortSignal, size?: number): Promise<void> {
    const what = 'remove the read protection';
    return this.#unprotect(commands.readoutUnprotect, 'erase-failed', what, eraseAllLimit(size), signal);
  }

  /** Starts the program by Go (section 3.5); without an address by the reset line, if it is wired. */
  async start(address: number | null, signal: AbortSignal): Promise<void> {
    if (address === null && this.#entry.kind === 'lines') {
      await resetPart(this.clock, this.#link.port, this.#entry, 'program', signal);
      return;
    }
    if (this.#entry.kind === 'lines') {
      // BOOT0 low, so that the next reset starts the program too.
      const { dtr, rts } = linesFor(this.#entry, { inReset: false, boot0: false });
      await this.#link.port.setLines(dtr, rts);
    }
    await this.#step(commandFrame(commands.go), 'refused', 'start the program', signal);
    await this.#step(wordFrame(address ?? flashStart), 'outside-flash', 'start the program', signal);
  }

  async recover(attempt: number, signal: AbortSignal): Promise<void> {
    const busy = this.#entry.kind === 'lines' ? 0 : Math.max(0, this.#doneAt - this.clock.now());
    const isInStep = await inTime(this.clock, busy + recoveryLimit, signal, async (limit) => {
      if (busy > 0) {
        // A cancelled step continues on a part without a reset line. Its acknowledgement shows its end.
        await this.#link.reply(busy, limit);
      }
      return this.#backInStep(attempt, limit);
    });
    if (isInStep !== true) {
      throw new StmError('stopped-answering');
    }
  }

  close(): Promise<void> {
    return this.#link.port.close();
  }

  /** Resynchronises, or resets the part by its lines if the bootloader does not answer. */
  async #backInStep(attempt: number, signal: AbortSignal): Promise<boolean> {
    const hasLines = this.#entry.kind === 'lines';
    if (attempt === 1 && (await findStep(this.#link, signal, hasLines ? RECOVERY_STEPS : undefined))) {
      return true;
    }
    if (this.#entry.kind !== 'lines') {
      return (await findStep(this.#link, signal)) !== null;
    }
    await resetPart(this.clock, this.#link.port, this.#entry, 'bootloader', signal);
    return (await sync(this.#link, RECOVERY_SYNCS, signal)) !== null;
  }

  /**
   * Exchanges requests and acknowledgements in order. For a remote bootloader, the next requests wait beside it.
   *
   * @param most Returns the number of requests that may be under way there. Default: all.
   */
  async #inOrder(
    requests: Iterator<Request>,
    signal: AbortSignal,
    most: () => number = () => Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const { port } = this.#link;
    await exchangeAhead<Request>(port, {
      next: () => {
        const { done, value } = requests.next();
        return done === true ? null : value;
      },
      ahead: () => (port.canExpectBytes ? most() : 1),
      send: (request, before) => {
        this.#link.send(request.frame, before === null ? null : this.#expected(before));
        request.meanwhile?.();
      },
      take: async ({ frame, refusal, what, limit = deadlines.acknowledge, payload = 0, answered }, isAlone) => {
        await this.#acknowledged(limit + port.wireTime(frame.length), refusal, what, signal);
        const bytes = payload === 0 ? nothing : (await this.#take(payload, what, signal)).slice();
        if (payload > 0 && isAlone) {
          this.#mustBeAll(what);
        }
        answered?.(bytes);
        return true;
      },
    });
  }

  /** Returns the bootloader's successful answer to the request. */
  #expected({ limit = deadlines.acknowledge, payload = 0 }: Request): ExpectedBytes {
    const reading = payload === 0 ? 0 : deadlines.read + this.#link.port.wireTime(payload);
    return { begins: acknowledgement, length: 1 + payload, pause: 0, limit: Math.ceil(limit + reading) };
  }

  /** Fails if extra bytes have arrived, because an inserted byte invalidates all bytes after it. */
  #mustBeAll(what: string): void {
    if (this.#link.hasPending) {
      throw new StmError('read-failed', { detail: `Received more than requested: ${what}.` });
    }
  }

  async #eraseBatch(batch: readonly Sector[], signal: AbortSignal): Promise<void> {
    const codes = batch.map(({ code }) => code);
    const extended = this.facts.commands.has(commands.extendedErase);
    const what = `erase ${codes.length} from number ${codes[0]} on`;
    if (!extended && codes.some((code) => code > 255)) {
      throw new StmError('erase-failed', { detail: `This bootloader supports no page after 255: ${what}.` });
    }
    const limit = eraseLimit(batch.map(({ length }) => length));
    const command = extended ? commands.extendedErase : commands.erase;
    const frame = extended ? extendedEraseFrame(codes) : eraseFrame(codes);
    const requests: Request[] = [
      { frame: commandFrame(command), refusal: 'refused', what },
      { frame, refusal: 'erase-failed', what, limit },
    ];
    await this.#inOrder(requests.values(), signal);
  }

  async #eraseAll(signal: AbortSignal, size?: number): Promise<void> {
    const extended = this.facts.commands.has(commands.extendedErase);
    const what = 'erase everything';
    await this.#step(commandFrame(extended ? commands.extendedErase : commands.erase), 'refused', what, signal);
    const frame = extended ? specialEraseFrame(extendedEraseAll) : eraseAllFrame();
    await this.#step(frame, 'erase-failed', what, signal, eraseAllLimit(size));
  }

  /** Removes a protection (sections 3.10 and 3.12). The part resets after the second acknowledgement. */
  async #unprotect(
    command: number,
    refusal: StmFailure,
    what: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#step(commandFrame(command), 'refused', what, signal);
    await this.#acknowledged(limit, refusal, what, signal);
  }

  /**
   * Requests a checksum (section 3.13): address, number of words, polynomial, initial value. A further
   * acknowledgement follows the calculation.
   */
  async #checksum({ offset, length }: FlashRange, signal: AbortSignal): Promise<number> {
    const what = `checksum at ${hexNumber(offset, 8)}`;
    const requests: Request[] = [
      { frame: commandFrame(commands.getChecksum), refusal: 'refused', what },
      { frame: wordFrame(offset), refusal: 'outside-flash', what },
      { frame: wordFrame(length / 4), refusal: 'outside-flash', what },
      { frame: wordFrame(crcPolynomial), refusal: 'refused', what },
      { frame: wordFrame(crcStart), refusal: 'refused', what },
    ];
    await this.#inOrder(requests.values(), signal);
    await this.#acknowledged(deadlines.checksum, 'refused', what, signal);
    const bytes = await this.#take(5, what, signal);
    if (xorOf(bytes) !== 0) {
      throw new StmError('read-failed', { detail: `Damaged in transit: ${what}.` });
    }
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  }

  /** Sends one frame and waits for its acknowledgement. */
  async #step(
    frame: Uint8Array,
    refusal: StmFailure,
    what: string,
    signal: AbortSignal,
    limit: number = deadlines.acknowledge,
  ): Promise<void> {
    this.#doneAt = this.clock.now() + limit + this.#link.port.wireTime(frame.length);
    const reply = await this.#link.exchange(frame, limit, signal);
    this.#doneAt = Number.NEGATIVE_INFINITY;
    await this.#mustBeAcknowledged(reply, refusal, what, signal);
  }

  async #acknowledged(limit: number, refusal: StmFailure, what: string, signal: AbortSignal): Promise<void> {
    // Stays set if the caller gives up, because the part is busy until then.
    this.#doneAt = this.clock.now() + limit;
    const reply = await this.#link.reply(limit, signal);
    this.#doneAt = Number.NEGATIVE_INFINITY;
    await this.#mustBeAcknowledged(reply, refusal, what, signal);
  }

  async #mustBeAcknowledged(reply: Reply, refusal: StmFailure, what: string, signal: AbortSignal): Promise<void> {
    if (reply === 'late') {
      throw new StmError('stopped-answering', { detail: `No answer to: ${what}.` });
    }
    if (reply === 'nack') {
      // Some bootloaders refuse twice. The second refusal must not count as the next answer.
      await this.#link.quiet(signal);
      throw new StmError(refusal, { detail: `Refused: ${what}.` });
    }
  }

  async #take(count: number, what: string, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = await this.#link.take(count, deadlines.read, signal);
    if (bytes === null) {
      throw new StmError('stopped-answering', { detail: `Incomplete answer to: ${what}.` });
    }
    return bytes;
  }
}

/** Yields the requests after the command Read Memory (AN3155 section 3.4). */
function* readRequests(
  { offset, length }: FlashRange,
  what: string,
  answered: (bytes: Uint8Array) => void = () => undefined,
): Generator<Request> {
  yield { frame: wordFrame(offset), refusal: 'outside-flash', what };
  yield { frame: readLengthFrame(length), refusal: 'read-failed', what, payload: length, answered };
}

function framesAt(address: number, bytes: Uint8Array, at: number): BlockFrames {
  return { address: wordFrame(address + at), data: dataFrame(bytes.subarray(at, at + maximumBlock)) };
}

/** Returns the next sectors for one erase command. */
function batchFrom(sectors: readonly Sector[], from: number): Sector[] {
  const next = sectors.slice(from, from + PAGES_AT_ONCE);
  const large = next.findIndex(({ length }) => length > SMALL_SECTOR);
  return large < 0 ? next : next.slice(0, Math.max(1, large));
}
