/**
 * Reads a tap's frames at a guest. Delivers each piece once and in order, and reports missing bytes by lane, offset
 * and number. Requests missing frames from the host.
 */

import {
  type BytesPiece,
  decodeAuthor,
  decodeTapFrame,
  type Lane,
  type LanePlace,
  type TapPiece,
} from '../frames/tap-records.ts';
import { RemoteError } from '../remote-failure.ts';

/** Bytes of a lane that this guest will never receive. */
export interface MissingBytes {
  readonly port: number;
  readonly lane: Lane;
  /** Offset of the first missing byte in its lane, counted from the first byte that was shared. */
  readonly at: number;
  readonly count: number;
}

const isOfBytes = (piece: TapPiece): piece is BytesPiece => piece.lane !== 'author';

export interface TapEvents {
  readonly piece: (piece: BytesPiece) => void;
  /** Names the author of the newest line sent to the port. */
  readonly author: (port: number, words: string) => void;
  readonly missing: (missing: MissingBytes) => void;
}

export class TapReader {
  readonly #events: TapEvents;
  readonly #ask: (from: number) => void;
  readonly #lanes = new Map<string, number>();
  /** Number of the last frame that was taken; null before the first connection. */
  #last: number | null = null;
  #isAsking = false;

  constructor(events: TapEvents, ask: (from: number) => void) {
    this.#events = events;
    this.#ask = ask;
  }

  /** Number of the last frame that was taken; 0 before the first one. */
  get last(): number {
    return this.#last ?? 0;
  }

  /** Starts a connection. On the first one, the guest sees only bytes from now on. */
  connected(head: number, places: readonly LanePlace[]): void {
    this.#isAsking = false;
    if (this.#last === null) {
      this.#last = head;
      for (const { port, lane, at } of places) {
        this.#lanes.set(`${port} ${lane}`, at);
      }
    }
    this.noticeHead(head);
  }

  /** Requests missing frames if the host has sent more than has arrived. */
  noticeHead(head: number): void {
    if (this.#last !== null && head > this.#last && !this.#isAsking) {
      this.#isAsking = true;
      this.#ask(this.#last + 1);
    }
  }

  /**
   * Takes a frame that was sent to all guests.
   *
   * @throws RemoteError with `malformed`.
   */
  take(plain: Uint8Array): void {
    const frame = decodeTapFrame(plain);
    if (this.#last === null || frame.number <= this.#last) {
      return;
    }
    if (frame.number === this.#last + 1) {
      this.#accept(frame.number, frame.pieces);
    } else {
      this.noticeHead(frame.number);
    }
  }

  /**
   * Takes the frames that this guest has requested.
   * @throws RemoteError with `malformed`.
   */
  caughtUp(from: number, frames: readonly Uint8Array[], head: number): void {
    if (!this.#isAsking || this.#last === null) {
      return;
    }
    this.#isAsking = false;
    let next = from;
    for (const plain of frames) {
      const frame = decodeTapFrame(plain);
      if (frame.number !== next++) {
        throw new RemoteError('malformed');
      }
      if (frame.number > this.#last) {
        this.#accept(frame.number, frame.pieces);
      }
    }
    if (frames.length === 0) {
      // The host keeps none of these frames. The offset of the next piece shows how much is missing.
      this.#last = Math.max(this.#last, head);
    }
    this.noticeHead(head);
  }

  #accept(number: number, pieces: readonly TapPiece[]): void {
    this.#last = number;
    for (const piece of pieces) {
      const { port, lane, at, bytes } = piece;
      const name = `${port} ${lane}`;
      const expected = this.#lanes.get(name) ?? 0;
      if (at < expected) {
        throw new RemoteError('malformed');
      }
      this.#lanes.set(name, at + bytes.length);
      if (!isOfBytes(piece)) {
        this.#sign(port, bytes);
        continue;
      }
      if (at > expected) {
        this.#events.missing({ port, lane: piece.lane, at: expected, count: at - expected });
      }
      this.#events.piece(piece);
    }
  }

  /** Reports an author only if its line has arrived. Otherwise the words would appear beside an earlier line. */
  #sign(port: number, bytes: Uint8Array): void {
    const { upTo, words } = decodeAuthor(bytes);
    if (upTo === (this.#lanes.get(`${port} sent`) ?? 0)) {
      this.#events.author(port, words);
    }
  }
}
