/**
 * One direction of the wire. Bytes wait here until the line has had time to carry them and the far end has room. Only
 * timing and amounts are simulated here; noise, delay and sampling are in the files beside it.
 */
import type { Clock } from '@wirebench/clock';
import { byteTime, type Link } from './link.ts';

/** `wire`: at the speed of the line. `none`: as fast as the far end accepts. */
export type Pace = 'wire' | 'none';

/** Milliseconds between two chunks. A timer for each byte would be too expensive. */
const TICK = 4;
/** Milliseconds by which a timer may fire early and still count as in time. Clocks have a limited resolution. */
const TOLERANCE = 0.001;
/**
 * Most bytes that are delivered at once after the far end had no room. A driver's own buffer would have held that
 * many (about 16 kB on Linux). After a late timer, all missed bytes are delivered.
 */
const MAX_CARRIED = 16_384;
/** Milliseconds after which an idle line loses its unused credit. A sender that writes again sooner keeps it. */
const SAME_MOMENT = 1;

interface Segment {
  readonly link: Link;
  readonly bytes: Uint8Array;
  /** Called when everything before it has been carried. Such a segment has no bytes. */
  readonly mark?: () => void;
}

export interface WireEnds {
  /** Returns the bytes that the far end accepts now. */
  room(): number;
  /** Receives carried bytes. The wire does not use the array again. */
  deliver(bytes: Uint8Array, link: Link): void;
  /** Called after bytes were carried, when the queue has room. Bytes written in this call are sent without a gap. */
  moved(): void;
  /** Called when the queue is empty: the line rests at high. */
  idle(): void;
}

export class Wire {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #ends: WireEnds;
  #queue: Segment[] = [];
  /** Bytes of the first segment already carried. */
  #carried = 0;
  #pending = 0;
  /** Elapsed line time in milliseconds that has not carried bytes yet. */
  #credit = 0;
  #last: number;
  #pumping = false;
  #stopped = false;
  /** True if the far end had no room at the last attempt. */
  #blocked = false;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, pace: Pace, ends: WireEnds) {
    this.#clock = clock;
    this.#pace = pace;
    this.#ends = ends;
    this.#last = clock.now();
  }

  /** Bytes written and not yet carried. */
  get pending(): number {
    return this.#pending;
  }

  /** Queues a copy of `bytes`, to be sent at the rate and frame of `link`. */
  write(bytes: Uint8Array, link: Link): void {
    if (bytes.length > 0) {
      this.#pending += bytes.length;
      this.#append({ link, bytes: bytes.slice() });
    }
  }

  /** Calls `callback` when everything written so far has been carried. */
  mark(link: Link, callback: () => void): void {
    this.#append({ link, bytes: new Uint8Array(), mark: callback });
  }

  /** Continues after the far end had no room. */
  resume(): void {
    if (this.#blocked) {
      this.#pump();
    }
  }

  /** Discards the bytes that have not been carried. */
  clear(): void {
    this.#queue = [];
    this.#carried = 0;
    this.#pending = 0;
    this.#credit = 0;
    this.#blocked = false;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Discards the bytes that have not been carried, and all later ones. */
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

  /** Adds the time since the last call to the credit. */
  #earn(): void {
    const now = this.#clock.now();
    this.#credit += now - this.#last;
    this.#last = now;
    const first = this.#queue[0];
    if (this.#blocked && first !== undefined) {
      this.#credit = Math.min(this.#credit, MAX_CARRIED * byteTime(first.link));
    }
    this.#blocked = false;
  }

  /** Returns the milliseconds until everything has been carried, at most `TICK`. */
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
