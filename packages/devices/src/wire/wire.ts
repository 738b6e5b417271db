/**
 * One direction of the wire: bytes wait here until the line has had the time to carry them and the far end has room.
 * Knows time and amounts; what may happen to a byte on its way is in the files beside it.
 */
import type { Clock } from '@wirebench/clock';
import { byteTime, type Link } from './link.ts';

/** `wire`: as slow as the line is. `none`: as fast as the far end takes it. */
export type Pace = 'wire' | 'none';

/** Bytes are handed on in chunks this many milliseconds apart, never with a timer a byte. */
const TICK = 4;
/** A timer that fires early by less than this, in milliseconds, is in time: clocks have no infinite resolution. */
const TOLERANCE = 0.001;
/**
 * Bytes that are made up for at once after the far end had no room: a driver's own buffer would have held them meanwhile
 * (about 16 kB on Linux). A timer that came late is made up for in full.
 */
const MOST_CARRIED = 16_384;
/** An idle line forgets unused time after this many milliseconds: it belongs to a sender that goes on at once. */
const SAME_MOMENT = 1;

interface Segment {
  readonly link: Link;
  readonly bytes: Uint8Array;
  /** Runs when everything before it has been carried; such a segment has no bytes. */
  readonly mark?: () => void;
}

export interface WireEnds {
  /** Bytes that the far end takes now. */
  room(): number;
  /** Takes bytes that have just been carried; the array is not used again by the wire. */
  deliver(bytes: Uint8Array, link: Link): void;
  /** Something was carried: there is room for more, which still goes at the time of this call. */
  moved(): void;
  /** Nothing is left to carry: the line rests at high. */
  idle(): void;
}

export class Wire {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #ends: WireEnds;
  #queue: Segment[] = [];
  /** Bytes of the first segment that have been carried. */
  #carried = 0;
  #pending = 0;
  /** Line time, in milliseconds, that has passed and carried nothing yet. */
  #credit = 0;
  #last: number;
  #pumping = false;
  #stopped = false;
  /** The far end had no room when it was last looked at. */
  #blocked = false;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, pace: Pace, ends: WireEnds) {
    this.#clock = clock;
    this.#pace = pace;
    this.#ends = ends;
    this.#last = clock.now();
  }

  /** Bytes written and not carried yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Puts a copy of `bytes` at the end of the queue, to be sent at the rate and frame of `link`. */
  write(bytes: Uint8Array, link: Link): void {
    if (bytes.length > 0) {
      this.#pending += bytes.length;
      this.#append({ link, bytes: bytes.slice() });
    }
  }

  /** Runs `callback` when everything written so far has been carried. */
  mark(link: Link, callback: () => void): void {
    this.#append({ link, bytes: new Uint8Array(), mark: callback });
  }

  /** The far end has room again. */
  resume(): void {
    if (this.#blocked) {
      this.#pump();
    }
  }

  /** Forgets what has not been carried. */
  clear(): void {
    this.#queue = [];
    this.#carried = 0;
    this.#pending = 0;
    this.#credit = 0;
    this.#blocked = false;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Forgets what has not been carried, and whatever is written from now on. */
  stop(): void {
    this.#stopped = true;
    this.clear();
  }

  #append(segment: Segment): void {
    if (this.#stopped) {
      return;
    }
    const wasIdle = this.#queue.length === 0;
    this.#queue.push(segment);
    if (this.#pumping) {
      return;
    }
    if (wasIdle) {
      this.#leaveIdle();
      this.#pump();
    } else if (this.#pace === 'none') {
      this.#pump();
    }
  }

  #leaveIdle(): void {
    const now = this.#clock.now();
    if (now - this.#last > SAME_MOMENT) {
      this.#credit = 0;
    }
    this.#last = now;
  }

  #pump(): void {
    if (this.#pumping) {
      return;
    }
    this.#pumping = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#earn();
    let wait: number | null = null;
    for (let segment = this.#queue[0]; segment !== undefined; segment = this.#queue[0]) {
      if (segment.mark !== undefined) {
        this.#queue.shift();
        segment.mark();
        continue;
      }
      const cost = this.#pace === 'wire' ? byteTime(segment.link) : 0;
      const affordable = cost === 0 ? Infinity : Math.floor((this.#credit + TOLERANCE) / cost);
      const room = this.#ends.room();
      const count = Math.min(affordable, room, segment.bytes.length - this.#carried);
      if (count < 1) {
        this.#blocked = room < 1;
        wait = this.#blocked ? null : this.#untilCarried();
        break;
      }
      this.#credit -= count * cost;
      this.#carry(segment, count);
    }
    this.#pumping = false;
    if (wait !== null) {
      this.#cancelTimer = this.#clock.schedule(wait, () => {
        this.#cancelTimer = null;
        this.#pump();
      });
    }
  }

  /** Adds the time since the last look to the credit. */
  #earn(): void {
    const now = this.#clock.now();
    this.#credit += now - this.#last;
    this.#last = now;
    const first = this.#queue[0];
    if (this.#blocked && first !== undefined) {
      this.#credit = Math.min(this.#credit, MOST_CARRIED * byteTime(first.link));
    }
    this.#blocked = false;
  }

  /** Milliseconds until everything has been carried, at most a tick. */
  #untilCarried(): number {
    let needed = -this.#credit;
    for (const [index, { bytes, link }] of this.#queue.entries()) {
      needed += (bytes.length - (index === 0 ? this.#carried : 0)) * byteTime(link);
      if (needed >= TICK) {
        return TICK;
      }
    }
    return needed;
  }

  #carry(segment: Segment, count: number): void {
    const bytes = segment.bytes.subarray(this.#carried, this.#carried + count);
    this.#pending -= count;
    this.#carried += count;
    if (this.#carried === segment.bytes.length) {
      this.#queue.shift();
      this.#carried = 0;
    }
    this.#ends.deliver(bytes, segment.link);
    this.#ends.moved();
    if (this.#queue.length === 0 && !this.#stopped) {
      this.#ends.idle();
    }
  }
}
