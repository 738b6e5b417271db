/** Counts line errors that a connection survives, and limits the rate of their notices. */
import type { Clock } from '@wirebench/clock';
import type { LineErrorKind } from '@wirebench/port';
import type { PortStatus } from './bench-status.ts';
import type { SessionNotice } from './session-notices.ts';

/**
 * Time without an error of a kind after which the next one is announced again, in milliseconds. A wrong baud rate
 * makes thousands of errors a second, or a few whenever the board sends. That is one episode, announced once. A break
 * may be sent on purpose, so its time is shorter.
 */
const EPISODE_GAP = { framing: 60_000, parity: 60_000, break: 2_000 } satisfies Record<LineErrorKind, number>;

const noticesOf = {
  framing: ['framing-error', 'framing-errors'],
  parity: ['parity-error', 'parity-errors'],
  break: ['break', 'breaks'],
} satisfies Record<LineErrorKind, readonly [one: SessionNotice, several: SessionNotice]>;

interface Episode {
  lastAt: number;
  /** Number of errors that were not announced yet. */
  unannounced: number;
}

/**
 * Counts all errors. It announces the first one of an episode at once, the others with the next episode or at the end
 * of the connection.
 */
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
    const episode = this.#episodes.get(kind) ?? { lastAt: Number.NEGATIVE_INFINITY, unannounced: 0 };
    this.#episodes.set(kind, episode);
    const isNew = now - episode.lastAt >= EPISODE_GAP[kind];
    episode.lastAt = now;
    episode.unannounced++;
    if (isNew) {
      this.#announce(kind, episode);
    }
  }

  addOverrun(): void {
    this.#counts.overrun++;
  }

  /** Announces all pending errors. */
  flush(): void {
    for (const [kind, episode] of this.#episodes) {
      this.#announce(kind, episode);
    }
  }

  /** Announces pending errors and resets the counts to 0. */
  reset(): void {
    this.flush();
    this.#episodes.clear();
    Object.assign(this.#counts, { framing: 0, parity: 0, overrun: 0, break: 0 });
  }

  #announce(kind: LineErrorKind, episode: Episode): void {
    const { unannounced } = episode;
    if (unannounced > 0) {
      episode.unannounced = 0;
      this.#say(noticesOf[kind][unannounced === 1 ? 0 : 1], unannounced);
    }
  }
}
