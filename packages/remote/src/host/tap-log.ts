/**
 * Log of the bytes that passed the ports of a shared bench, as numbered frames. It holds unsent frames, and sent
 * frames that a guest may have missed. One log serves all guests.
 */

import { catchUpLimit } from '../frames/messages.ts';
import {
  encodeAuthor,
  encodeTapFrame,
  type Lane,
  type LanePlace,
  type TapLane,
  type TapPiece,
  tapPieceLimit,
} from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';

/** Bytes of an encoded piece in addition to its content. */
const pieceCost = 22;
/** Most bytes of the pieces in one frame. */
const frameLimit = catchUpLimit - 64;

interface Frame {
  readonly number: number;
  readonly pieces: readonly LanePlace[];
  readonly plain: Uint8Array<ArrayBuffer>;
}

export class TapLog {
  readonly #limits: Limits;
  /** Length of each lane so far, in bytes. */
  readonly #lanes = new Map<string, number>();
  /** Length of each lane as far as it was sent. */
  readonly #sentLanes = new Map<string, LanePlace>();
  #frames: Frame[] = [];
  #kept = 0;
  #open: TapPiece[] = [];
  #openCost = 0;
  #last = 0;
  #sent = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Number of the last frame that was sent to all guests. */
  get head(): number {
    return this.#sent;
  }

  /** Length of each lane as far as it was sent, in bytes. */
  get places(): readonly LanePlace[] {
    return [...this.#sentLanes.values()];
  }

  /** Returns how many bytes of a lane were added behind these places. */
  addedSince(places: readonly LanePlace[], port: number, lane: Lane): number {
    const at = places.find((place) => place.port === port && place.lane === lane)?.at ?? 0;
    return (this.#lanes.get(`${port} ${lane}`) ?? 0) - at;
  }

  get isEmpty(): boolean {
    return this.#open.length === 0 && this.#sent === this.#last;
  }

  add(port: number, lane: Lane, bytes: Uint8Array, time: number): void {
    for (let from = 0; from < bytes.length; from += tapPieceLimit) {
      this.#addPiece(port, lane, bytes.slice(from, from + tapPieceLimit), time);
    }
  }

  /** Adds the author of the port's newest sent line, in words to show beside it. */
  sign(port: number, words: string, time: number): void {
    const upTo = this.#lanes.get(`${port} sent`) ?? 0;
    this.#addPiece(port, 'author', encodeAuthor({ upTo, words }), time);
  }

  /**
   * Returns the next frame to send; null if the log has no more. Skips frames that were dropped before they were
   * sent.
   */
  next(): Uint8Array<ArrayBuffer> | null {
    if (this.#sent === this.#last) {
      this.#closeFrame();
    }
    const frame = this.#frames.find(({ number }) => number > this.#sent);
    if (frame === undefined) {
      return null;
    }
    this.#sent = frame.number;
    for (const place of frame.pieces) {
      this.#sentLanes.set(`${place.port} ${place.lane}`, place);
    }
    return frame.plain;
  }

  /** Returns sent frames from this number on, or from the oldest one that is kept, as many as fit into one message. */
  since(number: number): { readonly from: number; readonly frames: readonly Uint8Array[]; readonly head: number } {
    const frames: Uint8Array[] = [];
    let from = this.#sent + 1;
    let size = 0;
    for (const frame of this.#frames) {
      if (frame.number < number || frame.number > this.#sent) {
        continue;
      }
      size += frame.plain.length + 4;
      if (frames.length > 0 && size > catchUpLimit) {
        break;
      }
      from = Math.min(from, frame.number);
      frames.push(frame.plain);
    }
    return { from, frames, head: this.#sent };
  }

  #addPiece(port: number, lane: TapLane, bytes: Uint8Array, time: number): void {
    const name = `${port} ${lane}`;
    const at = this.#lanes.get(name) ?? 0;
    this.#lanes.set(name, at + bytes.length);
    if (this.#openCost + bytes.length + pieceCost > frameLimit) {
      this.#closeFrame();
    }
    this.#open.push({ port, lane, time, at, bytes });
    this.#openCost += bytes.length + pieceCost;
  }

  #closeFrame(): void {
    if (this.#open.length === 0) {
      return;
    }
    const plain = encodeTapFrame(++this.#last, this.#open);
    const pieces = this.#open.map(({ port, lane, at, bytes }) => ({ port, lane, at: at + bytes.length }));
    this.#frames.push({ number: this.#last, plain, pieces });
    this.#open = [];
    this.#openCost = 0;
    this.#kept += plain.length;
    while (this.#kept > this.#limits.tapKept) {
      this.#kept -= this.#frames.shift()?.plain.length ?? 0;
    }
  }
}
