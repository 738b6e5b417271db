/**
 * Limits of a request body while it arrives: how long it may take and into how many pieces it may be cut.
 *
 * Node has one time limit for all requests, which has to fit the largest upload. These limits are stricter: an
 * ordinary body has a short deadline, an upload has to make progress, and the rest of a body that was already
 * answered has to end. Pieces are limited because each one costs a call in every reader, even if it has a single
 * byte. Routes that take uploads announce them with `expectUpload`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../api-error.ts';
import { bareRefusal } from './bare-refusal.ts';

/** Time limits of bodies, in milliseconds. */
export interface BodyTimeouts {
  /** Limit for all of an ordinary body, and for the rest of any body after its answer. */
  readonly whole: number;
  /** Limit for an upload without progress. */
  readonly upload: number;
  /** Limit for the rest of an answered body without progress. */
  readonly answered: number;
}

/** Bytes that count as progress. An upload that brings fewer within its time limit only occupies a place. */
const PROGRESS = 16_384;

/**
 * Bytes of an answered body that are read and discarded: its client may read the answer only after it has sent
 * everything.
 */
const DISCARDED = 4 * 1_048_576;

/** Milliseconds that a client has to read its answer after it has sent more than `DISCARDED`. */
const LAST_WORDS = 2_000;

/**
 * Pieces of a body that may have any size. A piece is an HTTP chunk or the result of one read of the socket. A form
 * written part by part has dozens.
 */
const FREE_PIECES = 4_096;

/**
 * Smallest mean size of all further pieces, in bytes. It is half the payload of the smallest usual TCP segment (536
 * bytes, RFC 9293 section 3.7.1), because a chunk that spans two segments arrives as two pieces.
 */
const PIECE_SIZE = 256;

const IN_PIECES = 'The request comes in too many small pieces. Please send it in larger ones.';

const tooSlow = bareRefusal('request-timeout');

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/**
 * Gives the body of `request` the time limits of an upload. Call it only for users who may upload.
 *
 * @param maxBytes Bytes of the body that are read even when the upload is refused, because browsers send the whole
 *   form before they read the answer.
 */
export function expectUpload(request: IncomingMessage, maxBytes: number): void {
  arrivals.get(request)?.becomeUpload(maxBytes);
}

/** The request bodies that are still arriving. */
export class BodyArrivals {
  readonly #timeouts: BodyTimeouts;
  readonly #pending = new Set<Arrival>();
  #inPieces = 0;

  constructor(timeouts: BodyTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Number of bodies refused because they came in too many small pieces. */
  get inPieces(): number {
    return this.#inPieces;
  }

  /** Watches the body of a request. Call it for each request before it is handled. */
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

  /** Ends the connections of bodies that are too slow at `now` (`performance.now()`). Returns how many it ended. */
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
  /** Kept here because a request drops its reference to the socket. */
  readonly #socket: Socket;
  readonly #timeouts: BodyTimeouts;
  /** Bytes; infinite if the request does not declare its length. */
  readonly #declared: number;
  #discarded = DISCARDED;
  /** Bytes that the connection had received when the body began. */
  readonly #bytesBefore: number;
  #deadline: number;
  #idle: number;
  #progress: { bytes: number; at: number };
  /**
   * Bytes by which the pieces so far exceed the required mean size. It starts with the allowance of the free pieces.
   */
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

  /** True when the body is complete or its connection is closed. */
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

  becomeUpload(maxBytes: number): void {
    this.#deadline = Infinity;
    this.#idle = this.#timeouts.upload;
    this.#discarded = maxBytes;
  }

  /**
   * Applies the limits for the rest of the body once the answer is sent. Node reads and discards that rest, so that
   * the connection can be used again.
   */
  answered(now: number): void {
    if (this.isOver) {
      return;
    }
    this.#deadline = now + (this.#isInPieces ? LAST_WORDS : this.#timeouts.whole);
    this.#idle = this.#timeouts.answered;
    this.#progress = { bytes: this.#socket.bytesRead, at: now };
    if (!this.#isInPieces && this.#declared > this.#discarded) {
      const afterAnswer = this.#socket.bytesRead + this.#discarded;
      // A busy server answers late and reads the body until then.
      this.#discardNoMoreThan(Math.min(afterAnswer, this.#bytesBefore + 2 * this.#discarded));
    }
  }

  /** Answers that the client was too slow, if no answer has been started, and ends the connection. */
  end(): void {
    // A response has its socket from its turn in the pipeline until it is sent.
    if (this.#response.socket === this.#socket && !this.#response.headersSent) {
      this.#socket.write(tooSlow.last);
      this.#socket.destroySoon();
    } else {
      this.#socket.destroy();
    }
  }

  /** Wraps `push`, through which the parser passes the body to every kind of reader, in order to count the pieces. */
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
    // Deferred: this call comes from the parser, which reads the socket below Node's streams. A listener on the
    // socket ends that mode.
    setImmediate(() => this.#discardNoMoreThan(0));
    const request = this.#request;
    // The reader turns this error into the answer. The reader may be attached later, because the caller is
    // authenticated first.
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
    // Both have to be paused: a reader of the request would resume the socket.
    this.#request.pause();
    this.#socket.pause();
  }

  #discardNoMoreThan(bytesRead: number): void {
    const stop = () => {
      if (this.#request.complete) {
        // Further bytes belong to the next request of the connection.
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
