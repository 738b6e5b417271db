/**
 * One WebSocket of a shared bench: what it may send in a second, how much may wait for it, whether it is still there. What is slower than
 * that is ended and never waited for. Knows no rooms.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '@wirebench/clock';
import { closeCodes, liveMessageLimit } from '@wirebench/contract/live';
import type { WebSocket } from 'ws';
import { ByteBudget } from './byte-budget.ts';
import type { CutReason, LiveTraffic } from './live-traffic.ts';

export interface LiveConnectionOptions {
  readonly socket: WebSocket;
  /** What is below the WebSocket. */
  readonly wire: Socket;
  readonly clock: Clock;
  readonly traffic: LiveTraffic;
  /** Bytes a second that it may send. */
  readonly rate: number;
  /** Bytes that may wait to be sent to it. */
  readonly mostWaiting: number;
}

/** Codes of RFC 6455 section 7.4.1 beside those of the contract: a protocol error, a type of data that is not taken. */
const PROTOCOL_ERROR = 1002;
const UNSUPPORTED_DATA = 1003;

const codeOfCut = {
  'not-allowed': closeCodes.notAllowed,
  'no-such-room': closeCodes.noSuchRoom,
  'too-many': closeCodes.tooMany,
  'not-admitted': closeCodes.notAdmitted,
  expelled: closeCodes.expelled,
  'too-slow': closeCodes.tooSlow,
  idle: closeCodes.idle,
  ended: closeCodes.ended,
  replaced: closeCodes.replaced,
  malformed: PROTOCOL_ERROR,
  restart: closeCodes.restart,
} as const satisfies Record<CutReason, number>;

/** Milliseconds that a connection has to close in order; nothing reaches it any more after that. */
const CLOSE_TIMEOUT = 500;

/** What each message costs besides its bytes: a flood of small ones is a flood. */
const MESSAGE_COST = 256;

/** Bytes of a frame's head (RFC 6455 section 5.2). */
const SHORT_LENGTH = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
/** A whole message of bytes. */
const FINAL_BINARY = 0x82;

/** Bytes of a frame that carries a message of `length` bytes. */
export function frameLength(length: number): number {
  return headLength(length) + length;
}

function headLength(length: number): 2 | 4 | 10 {
  return length <= SHORT_LENGTH ? 2 : length <= 0xffff ? 4 : 10;
}

/** `message` as one frame of a server, to be made once for everybody who gets it. */
export function frameOf(message: Uint8Array): Buffer {
  const { length } = message;
  const head = headLength(length);
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_BINARY;
  if (head === 2) {
    frame[1] = length;
  } else if (head === 4) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(message, head);
  return frame;
}

export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  #budget: ByteBudget;
  #isOpen = true;
  #isAlive = true;
  #cancelPause: (() => void) | null = null;
  /** When a pause ends, in milliseconds since the Unix epoch. */
  #pausedUntil = 0;
  #onMessage: (message: Uint8Array) => void = () => undefined;
  #onClose: (reason: CutReason | 'closed' | 'lost') => void = () => undefined;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
    const { socket, clock, rate, traffic } = options;
    this.#budget = new ByteBudget(rate, clock.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#isAlive = true;
      if (!this.#isOpen) {
        return;
      }
      if (!isBinary) {
        this.#end('malformed', UNSUPPORTED_DATA);
        return;
      }
      traffic.received += data.length;
      this.#onMessage(data);
      this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
    });
    socket.on('ping', (data: Buffer) => this.#answerPing(data));
    socket.on('pong', (data: Buffer) => {
      this.#isAlive = true;
      this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
    });
    // What is wrong with a frame is answered by the library with its code; the close follows.
    socket.on('error', () => undefined);
    socket.on('close', (code: number) => {
      this.#cancelPause?.();
      if (this.#isOpen) {
        this.#isOpen = false;
        this.#onClose(code === 1000 || code === 1001 ? 'closed' : 'lost');
      }
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.#options.wire.writableLength;
  }

  /** `onClose` is called once, whichever side ends it. */
  listen(onMessage: (message: Uint8Array) => void, onClose: (reason: CutReason | 'closed' | 'lost') => void): void {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
  }

  /** From now on, bytes a second. */
  changeRate(rate: number): void {
    this.#budget = new ByteBudget(rate, this.#options.clock.now());
  }

  send(message: Uint8Array): void {
    this.sendFrame(frameOf(message));
  }

  /** @param frame of `frameOf`, which others may get too */
  sendFrame(frame: Buffer): void {
    const { wire, mostWaiting, traffic } = this.#options;
    if (!this.#isOpen) {
      return;
    }
    if (wire.writableLength + frame.length > mostWaiting) {
      this.cut('too-slow');
      return;
    }
    traffic.sent += frame.length;
    wire.write(frame);
  }

  /** Reads nothing for so many milliseconds, which slows the sender down without losing anything. */
  slowDown(pause: number): void {
    const { socket, clock } = this.#options;
    const until = clock.now() + pause;
    if (pause <= 0 || !this.#isOpen || until <= this.#pausedUntil) {
      return;
    }
    this.#pausedUntil = until;
    this.#cancelPause?.();
    socket.pause();
    this.#cancelPause = clock.schedule(pause, () => {
      this.#cancelPause = null;
      this.#isAlive = true;
      socket.resume();
    });
  }

  /** Asks whether it is there, and ends it when it has not answered the last time. */
  ping(): void {
    if (!this.#isAlive && this.#cancelPause === null) {
      this.cut('idle');
    } else if (this.#isOpen) {
      this.#isAlive = false;
      this.#options.socket.ping();
    }
  }

  /** Answers as long as the other side takes the answers: it may send pings and read nothing. */
  #answerPing(data: Buffer): void {
    const { socket, wire, mostWaiting, clock } = this.#options;
    if (!this.#isOpen) {
      return;
    }
    if (wire.writableLength + data.length > mostWaiting) {
      this.cut('too-slow');
      return;
    }
    socket.pong(data);
    this.slowDown(this.#budget.take(data.length + MESSAGE_COST, clock.now()));
  }

  /** Ends it: nothing is read or sent any more, and what waits is thrown away after a moment. */
  cut(reason: CutReason, words: string | Buffer = ''): void {
    this.#end(reason, codeOfCut[reason], words);
  }

  #end(reason: CutReason, code: number, words: string | Buffer = ''): void {
    if (!this.#isOpen) {
      return;
    }
    const { socket, wire, traffic } = this.#options;
    this.#isOpen = false;
    traffic.countCut(reason);
    this.#cancelPause?.();
    // Reads on: only so is it noticed that the other side closes too.
    socket.resume();
    socket.close(code, words);
    // By the process's own time: what the system holds for it is not on any test's clock.
    endSoon(wire);
    this.#onClose(reason);
  }
}

/** Ends a connection whose other side takes its time to close it. */
export function endSoon(wire: Socket): void {
  // Node resets plain TCP only, and throws for what is encrypted.
  const end = () => (wire instanceof TLSSocket ? wire.destroy() : wire.resetAndDestroy());
  const timer = setTimeout(end, CLOSE_TIMEOUT).unref();
  wire.once('close', () => clearTimeout(timer));
}

/** The longest message, and the longest of somebody who has not been admitted: enough to prove to know the key. All of these together are bounded too. */
export const messageLimits = { all: liveMessageLimit, beforeAdmission: 4_096, allBeforeAdmission: 32_768 } as const;
