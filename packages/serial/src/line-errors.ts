/**
 * Errors that a driver reports and that a connection survives (W3C Web Serial, `readable`): which there are, how many there
 * were, and how often a person hears of them.
 */
import type { Clock } from '@wirebench/clock';
import type { PortStatus } from './bench-status.ts';
import { errorName } from './session-failure.ts';
import type { SessionNotice } from './session-notices.ts';

export type LineErrorKind = 'framing' | 'parity' | 'break';

/** At most one notice of a kind in this many milliseconds: a wrong baud rate makes thousands of errors a second. */
const NOTICE_INTERVAL = 2_000;

const kinds: Readonly<Record<string, LineErrorKind | undefined>> = {
  FramingError: 'framing',
  ParityError: 'parity',
  BreakError: 'break',
};

const noticesOf = {
  framing: ['framing-error', 'framing-errors'],
  parity: ['parity-error', 'parity-errors'],
  break: ['break', 'breaks'],
} satisfies Record<LineErrorKind, readonly [one: SessionNotice, several: SessionNotice]>;

/** Null when the error is none of the line. */
export function lineErrorOf(error: unknown): LineErrorKind | null {
  return kinds[errorName(error)] ?? null;
}

interface Pending {
  lastSaid: number;
  count: number;
  cancel: (() => void) | null;
}

/** Counts all, says the first of a kind at once and those that follow together. Has a timer only while some wait. */
export class LineErrorTally {
  readonly #clock: Clock;
  readonly #say: (notice: SessionNotice, count: number) => void;
  readonly #counts = { framing: 0, parity: 0, overrun: 0, break: 0 };
  readonly #pending = new Map<LineErrorKind, Pending>();

  constructor(clock: Clock, say: (notice: SessionNotice, count: number) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  get counts(): PortStatus['errors'] {
    return { ...this.#counts };
  }

  add(kind: LineErrorKind): void {
    this.#counts[kind]++;
    const pending = this.#pending.get(kind) ?? { lastSaid: Number.NEGATIVE_INFINITY, count: 0, cancel: null };
    this.#pending.set(kind, pending);
    pending.count++;
    const wait = pending.lastSaid + NOTICE_INTERVAL - this.#clock.now();
    if (wait <= 0) {
      this.#sayNow(kind, pending);
    } else {
      pending.cancel ??= this.#clock.schedule(wait, () => this.#sayNow(kind, pending));
    }
  }

  addOverrun(): void {
    this.#counts.overrun++;
  }

  /** Says what is still to be said. */
  flush(): void {
    for (const [kind, pending] of this.#pending) {
      this.#sayNow(kind, pending);
    }
  }

  /** Counts from 0 again. */
  reset(): void {
    this.flush();
    this.#pending.clear();
    Object.assign(this.#counts, { framing: 0, parity: 0, overrun: 0, break: 0 });
  }

  #sayNow(kind: LineErrorKind, pending: Pending): void {
    pending.cancel?.();
    pending.cancel = null;
    if (pending.count > 0) {
      const { count } = pending;
      pending.count = 0;
      pending.lastSaid = this.#clock.now();
      this.#say(noticesOf[kind][count === 1 ? 0 : 1], count);
    }
  }
}
