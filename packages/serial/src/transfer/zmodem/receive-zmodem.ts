/**
 * Receives files by ZMODEM (Forsberg, "The ZMODEM Inter Application File Transfer Protocol", 1988). After an error the
 * receiver asks for the position that it needs, and skips what comes until a frame begins there. A part of a
 * file that is there from an earlier transfer is continued if the sender has the same bytes.
 */
import { decodeFileFacts } from '../file-facts.ts';
import { nextIs } from '../next-is.ts';
import { TransferEnd } from '../transfer-end.ts';
import { Receiving, type TransferSession } from '../transfer-session.ts';
import type { FileStore, IncomingFile } from '../transfer-types.ts';
import {
  type FrameType,
  flagBytes,
  frame,
  positionBytes,
  positionOf,
  receiverFlag,
  type SubpacketEnd,
  subpacketEnd,
  ZDLE,
  ZPAD,
} from './frame.ts';
import { ANSWER_LIMIT, FramePort, MAX_ERRORS } from './frame-port.ts';

/** Requests before the receiver gives up: one minute. */
const START_TRIES = 6;
/** Requests for a next file, or for the end, before the session is over without its end. */
const NEXT_TRIES = 3;
/** Longest wait for the answer to each of them, in milliseconds. */
const NEXT_LIMIT = 5_000;
/** Longest wait for the two `O` after the end, in milliseconds. They may be missing. */
const OVER_LIMIT = 1_000;
/** Longest attention string (section 11.3). */
const MAX_ATTENTION = 32;
/** Bytes of an attention string that are actions: a break, which is left out, and a pause of a second. */
const ATTENTION_BREAK = 0xdd;
const ATTENTION_PAUSE = 0xde;
const PAUSE = 1_000;
/** Position that ZFREECNT is answered with: space enough. */
const FREE_BYTES = 0x7fff_ffff;

const abilities = receiverFlag.CANFDX | receiverFlag.CANOVIO | receiverFlag.CANFC32;

const beginsHeader = (byte: number) => byte === ZPAD || byte === ZDLE;

export async function receiveZmodem(session: TransferSession, store: FileStore): Promise<void> {
  const receiver = new Receiver(session, store);
  for (let file = await receiver.nextFile(); file !== null; file = await receiver.nextFile()) {
    await receiver.receive(file);
  }
}

class Receiver {
  readonly #session: TransferSession;
  readonly #store: FileStore;
  readonly #port: FramePort;
  /** Sent to interrupt a sender that does not listen while it sends. */
  #attention: Uint8Array = new Uint8Array();

  constructor(session: TransferSession, store: FileStore) {
    this.#session = session;
    this.#store = store;
    this.#port = new FramePort(session);
  }

  /** Waits for the next file that is wanted. Returns null at the end of the session. */
  async nextFile(): Promise<Receiving | null> {
    const session = this.#session;
    const isFirst = session.files.length === 0;
    let answer: readonly [FrameType, Uint8Array] | null = [frame.ZRINIT, flagBytes(abilities)];
    for (let errors = 0; errors < (isFirst ? START_TRIES : NEXT_TRIES); ) {
      if (answer !== null) {
        await this.#port.sendHex(...answer);
      }
      if (!isFirst && (await nextIs(session, NEXT_LIMIT, beginsHeader)) === 'text') {
        break;
      }
      const event = await this.#port.next(isFirst ? ANSWER_LIMIT : 0);
      answer = [frame.ZRINIT, flagBytes(abilities)];
      if (event === null) {
        errors++;
      } else if (event.kind === 'bad') {
        errors++;
        this.#session.repeats++;
        answer = [frame.ZNAK, flagBytes(0)];
      } else if (event.kind === 'header') {
        switch (event.type) {
          case frame.ZRQINIT:
            break;
          case frame.ZFILE: {
            const file = await this.#takeOffer();
            if (file instanceof Receiving) {
              return file;
            }
            answer = [file === 'skipped' ? frame.ZSKIP : frame.ZNAK, flagBytes(0)];
            break;
          }
          case frame.ZSINIT:
            answer = [(await this.#takeAttention()) ? frame.ZACK : frame.ZNAK, positionBytes(1)];
            break;
          case frame.ZFREECNT:
            answer = [frame.ZACK, positionBytes(FREE_BYTES)];
            break;
          case frame.ZCOMMAND:
            throw new TransferEnd('refused');
          case frame.ZFIN:
            await this.#finish();
            return null;
          case frame.ZCAN:
          case frame.ZABORT:
            throw new TransferEnd('peer-cancelled');
          default:
            // Rests of a file that is over, such as a second ZEOF: ZRINIT is the answer to it.
            errors++;
        }
      } else {
        answer = null;
      }
    }
    throw new TransferEnd(isFirst ? 'no-answer' : 'no-batch-end');
  }

  async receive(file: Receiving): Promise<void> {
    try {
      await this.#receiveData(file);
    } catch (error) {
      await file.close('partial');
      throw error;
    }
    await file.close('complete');
  }

  async #takeOffer(): Promise<Receiving | 'skipped' | 'damaged'> {
    const facts = await this.#port.next();
    if (facts?.kind !== 'data') {
      return 'damaged';
    }
    // A subpacket is whole, so its last field is not cut.
    const offer = decodeFileFacts(Uint8Array.of(...facts.bytes, 0));
    if (offer === null) {
      return 'skipped';
    }
    return (await Receiving.open(this.#session, this.#store, offer, (file) => this.#hasSame(file))) ?? 'skipped';
  }

  /** Asks the sender for the CRC of the part that is here. */
  async #hasSame(file: IncomingFile): Promise<boolean> {
    const crc = await file.keptCrc();
    for (let tries = 0; tries < 3; tries++) {
      await this.#port.sendHex(frame.ZCRC, positionBytes(file.kept));
      for (let event = await this.#port.next(); event !== null; event = await this.#port.next()) {
        if (event.kind === 'header' && event.type === frame.ZCRC) {
          return positionOf(event.data) === crc;
        }
      }
    }
    return false;
  }

  async #takeAttention(): Promise<boolean> {
    const event = await this.#port.next();
    if (event?.kind !== 'data' || event.bytes.length > MAX_ATTENTION + 1) {
      return false;
    }
    const end = event.bytes.indexOf(0);
    this.#attention = event.bytes.subarray(0, end === -1 ? MAX_ATTENTION : end);
    return true;
  }

  async #receiveData(file: Receiving): Promise<void> {
    let errors = 0;
    let at = file.bytes;
    /** True: the current frame continues at `at`. */
    let isInFrame = false;
    /** Position asked for since the last data; null if none was. */
    let asked: number | null = file.bytes;
    let staleEnds = 0;
    const ask = async (interrupts: boolean) => {
      isInFrame = false;
      staleEnds = 0;
      asked = file.bytes;
      if (interrupts) {
        await this.#interrupt();
      }
      await this.#port.sendHex(frame.ZRPOS, positionBytes(file.bytes));
    };
    const fail = (outcome: 'too-many-errors' | 'no-answer' = 'too-many-errors') => {
      this.#session.repeats++;
      if (file.bytes > at) {
        errors = 0;
        at = file.bytes;
      }
      errors++;
      if (errors > MAX_ERRORS) {
        throw new TransferEnd(outcome);
      }
    };
    await ask(false);
    for (;;) {
      const event = await this.#port.next();
      if (event === null) {
        fail('no-answer');
        await ask(true);
        continue;
      }
      if (event.kind === 'bad') {
        // Rests of damaged frames give several of these. One request is enough until data comes.
        if (isInFrame || asked !== file.bytes) {
          fail();
          await ask(true);
        }
        continue;
      }
      if (event.kind === 'data') {
        if (isInFrame) {
          await file.write(event.bytes);
          asked = null;
          isInFrame = await this.#acknowledge(event.end, file.bytes);
        }
        continue;
      }
      const position = positionOf(event.data);
      switch (event.type) {
        case frame.ZDATA:
          isInFrame = position === file.bytes;
          if (!isInFrame && asked !== file.bytes) {
            fail();
            await ask(true);
          }
          break;
        case frame.ZEOF:
          if (position === file.bytes) {
            return;
          }
          // One that was sent before the last request is stale. A second one says that the request was lost.
          isInFrame = false;
          staleEnds++;
          if (asked !== file.bytes || staleEnds > 1) {
            fail();
            await ask(false);
          }
          break;
        case frame.ZFILE:
          // The sender missed the first request.
          fail();
          await this.#port.next();
          await ask(false);
          break;
        case frame.ZNAK:
          fail();
          await ask(false);
          break;
        case frame.ZSKIP:
          throw new TransferEnd('peer-cancelled');
        case frame.ZCOMMAND:
          throw new TransferEnd('refused');
        case frame.ZFIN:
        case frame.ZCAN:
        case frame.ZABORT:
        case frame.ZFERR:
          throw new TransferEnd('peer-cancelled');
        default:
      }
    }
  }

  /** Confirms a subpacket if its end asks for it. Returns true if the frame continues. */
  async #acknowledge(end: SubpacketEnd, position: number): Promise<boolean> {
    if (end === subpacketEnd.ZCRCQ || end === subpacketEnd.ZCRCW) {
      await this.#port.sendHex(frame.ZACK, positionBytes(position));
    }
    return end === subpacketEnd.ZCRCG || end === subpacketEnd.ZCRCQ;
  }

  /** Sends the attention string of the sender. */
  async #interrupt(): Promise<void> {
    for (const byte of this.#attention) {
      if (byte === ATTENTION_PAUSE) {
        await this.#session.clock.sleep(PAUSE);
      } else if (byte !== ATTENTION_BREAK) {
        await this.#session.write(Uint8Array.of(byte));
      }
    }
  }

  /** Confirms the end and takes the two `O` off the line. Other bytes stay for the log. */
  async #finish(): Promise<void> {
    const { reader } = this.#session;
    await this.#port.skipHeaderEnd();
    await this.#port.sendHex(frame.ZFIN, flagBytes(0));
    for (let letters = 0; letters < 2 && (await reader.more(OVER_LIMIT)) && reader.peek() === 0x4f; letters++) {
      reader.next();
    }
  }
}
