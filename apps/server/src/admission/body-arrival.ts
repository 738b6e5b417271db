/**
 * Limits of a body while it arrives: how long it may take and into how many pieces it may be cut. Node's own time limit is one for all
 * requests and has to fit the largest upload; this one asks an ordinary body to be there soon, an upload to go on, and the rest of a
 * body that was answered already to end. Pieces count because each costs a call in every reader, however few bytes it has.
 * Knows no routes: those that take uploads say so.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../api-error.ts';
import { bareRefusal } from './bare-refusal.ts';

/** Milliseconds. */
export interface BodyTimeouts {
  /** For all of an ordinary body, and for what is left of any body once it was answered. */
  readonly whole: number;
  /** For an upload, without progress. */
  readonly upload: number;
  /** For what is left of a body once it was answered, without progress. */
  readonly answered: number;
}

/** Bytes that count as progress. Less in the time that an upload has for it is a client that holds its place. */
const PROGRESS = 16_384;

/** Bytes of an answered body that are read to nowhere: its client may read the answer only after it has sent everything. */
const DISCARDED = 4 * 1_048_576;

/** Milliseconds that a client which sends more than that has to read its answer. */
const LAST_WORDS = 2_000;

/**
 * Pieces of a body that may have any size: HTTP chunks, or what one read of the socket brings. A form written part by part has dozens.
 */
const FREE_PIECES = 4_096;

/**
 * Smallest mean size of all further pieces, in bytes. Half of what the smallest usual TCP segment carries (536, RFC 9293
 * section 3.7.1): a chunk that spans two segments arrives as two pieces.
 */
const PIECE_SIZE = 256;

const IN_PIECES = 'The request comes in too many small pieces. Please send it in larger ones.';

const tooSlow = bareRefusal('request-timeout');

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/**
 * Lets the body of `request` take its time as long as it goes on. To be called for uploads of people who may upload; `mostBytes`
 * of it are read also when it is refused, because browsers send all of a form before they look at the answer.
 */
export function expectUpload(request: IncomingMessage, mostBytes: number): void {
  arrivals.get(request)?.becomeUpload(mostBytes);
}

/** The bodies that are on their way. */
export class BodyArrivals {
  readonly #timeouts: BodyTimeouts;
  readonly #pending = new Set<Arrival>();
  #inPieces = 0;

  constructor(timeouts: BodyTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Number of bodies refused for coming in too many small pieces. */
  get inPieces(): number {
    return this.#inPieces;
  }

  /** To be called for each request before it is handled. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && length === '0') {
      return;
    }
    const declared = encoding === undefined ? Number(length) : Infinity;
    const arrival = new Arrival(request, response, declared, this.#timeouts, () => this.#inPieces++);
    arrivals.set(request, arrival);
    this.#pending.add(arrival);
    response.once('finish', () => arrival.answered(performance.now()));
  }

  /** Ends the connections of bodies that took too long at `now` (`performance.now()`). Returns how many those were. */
  sweep(now: number): number {
    let ended = 0;
    for (const arrival of this.#pending) {
      if (arrival.isOver) {
        this.#pending.delete(arrival);
      } else if (arrival.isLate(now)) {
        this.#pending.delete(arrival);
        arrival.end();
        ended++;
      }
    }
    return ended;
  }
}

class Arrival {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** Its own: a request forgets its socket. */
  readonly #socket: Socket;
  readonly #timeouts: BodyTimeouts;
  /** Bytes; infinite where the request does not say. */
  readonly #declared: number;
  #discarded = DISCARDED;
  /** Of the connection when the body began. */
  readonly #bytesBefore: number;
  #deadline: number;
  #idle: number;
  #progress: { bytes: number; at: number };
  /** Bytes that further pieces have to bring; starts with what the free ones need not. */
  #spare = FREE_PIECES * PIECE_SIZE;
  #isInPieces = false;
  readonly #onPieces: () => void;

  /** @param onPieces Called once when the body comes in too many small pieces. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    declared: number,
    timeouts: BodyTimeouts,
    onPieces: () => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#socket = request.socket;
    this.#declared = declared;
    this.#timeouts = timeouts;
    this.#onPieces = onPieces;
    this.#countPieces();
    const now = performance.now();
    this.#bytesBefore = this.#socket.bytesRead;
    this.#deadline = now + timeouts.whole;
    this.#idle = timeouts.whole;
    this.#progress = { bytes: this.#bytesBefore, at: now };
  }

  /** Whether there is nothing to wait for any more. */
  get isOver(): boolean {
    return this.#request.complete || this.#socket.destroyed;
  }

  isLate(now: number): boolean {
    const { bytesRead } = this.#socket;
    if (bytesRead - this.#progress.bytes >= PROGRESS) {
      this.#progress = { bytes: bytesRead, at: now };
    }
    return now >= this.#deadline || now - this.#progress.at >= this.#idle;
  }

  becomeUpload(mostBytes: number): void {
    this.#deadline = Infinity;
    this.#idle = this.#timeouts.upload;
    this.#discarded = mostBytes;
  }

  /** The answer is out; Node reads what is left of the body to nowhere, so that the connection can be used again. */
  answered(now: number): void {
    if (this.isOver) {
      return;
    }
    this.#deadline = now + (this.#isInPieces ? LAST_WORDS : this.#timeouts.whole);
    this.#idle = this.#timeouts.answered;
    this.#progress = { bytes: this.#socket.bytesRead, at: now };
    if (!this.#isInPieces && this.#declared > this.#discarded) {
      const afterAnswer = this.#socket.bytesRead + this.#discarded;
      // A busy server answers late, and reads on until then.
      this.#discardNoMoreThan(Math.min(afterAnswer, this.#bytesBefore + 2 * this.#discarded));
    }
  }

  /** Tells the client that it was too slow, if it was told nothing yet, and ends the connection. */
  end(): void {
    // A response has the socket from its turn until it is sent.
    if (this.#response.socket === this.#socket && !this.#response.headersSent) {
      this.#socket.write(tooSlow.last);
      this.#socket.destroySoon();
    } else {
      this.#socket.destroy();
    }
  }

  /** Takes the place of the parser's way into the request, which all readers of bodies share. */
  #countPieces(): void {
    const request = this.#request;
    const push = request.push.bind(request);
    request.push = (piece: Uint8Array | null, encoding?: BufferEncoding) => {
      if (piece !== null && this.#isInPieces) {
        this.#stopReading();
        return false;
      }
      if (piece !== null) {
        this.#spare = Math.min(this.#spare + piece.length - PIECE_SIZE, FREE_PIECES * PIECE_SIZE);
        if (this.#spare < 0) {
          this.#refusePieces();
          return false;
        }
      }
      return push(piece, encoding);
    };
  }

  #refusePieces(): void {
    this.#isInPieces = true;
    this.#onPieces();
    this.#deadline = performance.now() + LAST_WORDS;
    // Not now: the parser that calls this reads the socket below Node's streams, which a listener of the socket ends.
    setImmediate(() => this.#discardNoMoreThan(0));
    const request = this.#request;
    // The reader passes it on as the answer. It may come later: who calls is looked up first.
    const tell = () => {
      if (request.listenerCount('error') > 0) {
        request.emit('error', new ApiError('invalid-request', { message: IN_PIECES }));
      }
    };
    request.on('newListener', (event) => {
      if (event === 'error') {
        process.nextTick(tell);
      }
    });
    tell();
  }

  #stopReading(): void {
    // Both: a reader of the request would resume the socket.
    this.#request.pause();
    this.#socket.pause();
  }

  #discardNoMoreThan(bytesRead: number): void {
    const stop = () => {
      if (this.#request.complete) {
        // What comes now belongs to the next request of the connection.
        this.#socket.off('data', stop);
      } else if (this.#socket.bytesRead >= bytesRead) {
        this.#socket.off('data', stop);
        this.#stopReading();
        this.#deadline = Math.min(this.#deadline, performance.now() + LAST_WORDS);
      }
    };
    this.#socket.on('data', stop);
    this.#request.once('close', () => this.#socket.off('data', stop));
  }
}
