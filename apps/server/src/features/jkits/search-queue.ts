/**
 * Lets searches in, because a search costs more than anything else that one small request can ask for: a few of a user at a time, a few in
 * all, the others in the order in which they came. Counts in this process. Knows neither requests nor what a search does.
 */
import { ApiError } from '../../api-error.ts';

export interface SearchQueueLimits {
  /** Searches of one user that run at the same time. */
  readonly runningPerUser: number;
  /** Searches that run at the same time, whoever asks. */
  readonly running: number;
  /** Searches of one user that wait. */
  readonly waitingPerUser: number;
  /** Searches that wait, whoever asks. */
  readonly waiting: number;
}

/** Seconds. A place in the queue is free again as soon as one search has ended. */
const RETRY_AFTER = 1;

interface Waiting {
  readonly user: string;
  start(): void;
}

export class SearchQueue {
  readonly #limits: SearchQueueLimits;
  readonly #runningOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(limits: SearchQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `search` when it is its turn. Throws 429 when too many of the user's wait already, or when `signal` aborts before the
   * turn comes (nobody reads that answer), and 503 when too many wait in all.
   */
  async run<Result>(user: string, signal: AbortSignal, search: () => Promise<Result>): Promise<Result> {
    if (this.#isFreeFor(user)) {
      this.#start(user);
    } else {
      await this.#wait(user, signal);
    }
    try {
      return await search();
    } finally {
      this.#running--;
      add(this.#runningOf, user, -1);
      this.#startWaiting();
    }
  }

  #isFreeFor(user: string): boolean {
    const { running, runningPerUser } = this.#limits;
    return this.#running < running && (this.#runningOf.get(user) ?? 0) < runningPerUser;
  }

  #start(user: string): void {
    this.#running++;
    add(this.#runningOf, user, 1);
  }

  /** Resolves once the search counts as one that runs. */
  #wait(user: string, signal: AbortSignal): Promise<void> {
    if ((this.#waitingOf.get(user) ?? 0) >= this.#limits.waitingPerUser || signal.aborted) {
      throw new ApiError('too-many-requests', { retryAfter: RETRY_AFTER });
    }
    if (this.#waiting.size >= this.#limits.waiting) {
      throw new ApiError('search-busy', { retryAfter: RETRY_AFTER });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => {
      signal.removeEventListener('abort', leave);
      this.#waiting.delete(waiting);
      add(this.#waitingOf, user, -1);
    };
    const leave = () => {
      end();
      reject(new ApiError('too-many-requests', { retryAfter: RETRY_AFTER }));
    };
    const waiting: Waiting = {
      user,
      start: () => {
        end();
        this.#start(user);
        resolve();
      },
    };
    this.#waiting.add(waiting);
    add(this.#waitingOf, user, 1);
    signal.addEventListener('abort', leave);
    return promise;
  }

  /** In the order of their coming, passing over those whose user has enough running. */
  #startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (this.#isFreeFor(waiting.user)) {
        waiting.start();
      }
    }
  }
}

/** Keeps no user who has none. */
function add(counts: Map<string, number>, user: string, by: number): void {
  const count = (counts.get(user) ?? 0) + by;
  if (count === 0) {
    counts.delete(user);
  } else {
    counts.set(user, count);
  }
}
