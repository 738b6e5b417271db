/**
 * Errors that a driver reports and that a connection survives (W3C Web Serial, `readable`): which there are, how many there
 * were, and how often a person hears of them.
 */
import type { Clock } from '@wirebench/clock';
import type { PortStatus } from './bench-status.ts';
import { errorName } from './session-failure.ts';
import type { SessionNotice } from './session-notices.ts';

export type LineErrorKind = 'framing' | 'parity' | 'break';

/**
 * Milliseconds without an error of a kind after which the next one is told anew. A wrong baud rate makes thousands of errors a
 * second, or a few whenever the board speaks: that is one episode, told once. A break may be meant.
 */
const EPISODE_GAP = { framing: 60_000, parity: 60_000, break: 2_000 } satisfies Record<LineErrorKind, number>;

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

interface Episode {
  lastAt: number;
  /** How many were not told yet. */
  untold: number;
}

/** Counts all; tells the first of an episode at once, the others with the next episode or at the end of the connection. */
export class LineErrorTally {
  readonly #clock: Clock;
  readonly #say: (notice: SessionNotice, count: number) => void;
  readonly #counts = { framing: 0, parity: 0, overrun: 0, break: 0 };
  readonly #episodes = new Map<LineErrorKind, Episode>();

  constructor(clock: Clock, say: (notice: SessionNotice, count: number) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  get counts(): PortStatus['errors'] {
    return { ...this.#counts };
  }

  add(kind: LineErrorKind): void {
    this.#counts[kind]++;
    const now = this.#clock.now();
    const episode = this.#episodes.get(kind) ?? { lastAt: Number.NEGATIVE_INFINITY, untold: 0 };
    this.#episodes.set(kind, episode);
    const isNew = now - episode.lastAt >= EPISODE_GAP[kind];
    episode.lastAt = now;
    episode.untold++;
    if (isNew) {
      this.#tell(kind, episode);
    }
  }

  addOverrun(): void {
    this.#counts.overrun++;
  }

  /** Tells what is still to be told. */
  flush(): void {
    for (const [kind, episode] of this.#episodes) {
      this.#tell(kind, episode);
    }
  }

  /** Counts from 0 again. */
  reset(): void {
    this.flush();
    this.#episodes.clear();
    Object.assign(this.#counts, { framing: 0, parity: 0, overrun: 0, break: 0 });
  }

  #tell(kind: LineErrorKind, episode: Episode): void {
    const { untold } = episode;
    if (untold > 0) {
      episode.untold = 0;
      this.#say(noticesOf[kind][untold === 1 ? 0 : 1], untold);
    }
  }
}
