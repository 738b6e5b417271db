/**
 * Admits searches, because a search costs more than any other small request. It limits them per user and in all, and
 * queues the others in order of arrival. Counts in this process only.
 */
import { ApiError } from '../../api-error.ts';

export interface SearchQueueLimits {
  /** Simultaneous searches of one user. */
  readonly runningPerUser: number;
  /** Simultaneous searches of all users. */
  readonly running: number;
  /** Queued searches of one user. */
  readonly waitingPerUser: number;
  /** Queued searches of all users. */
  readonly waiting: number;
}

/** Seconds. A place in the queue becomes free as soon as one search ends. */
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
   * Runs `search` when its turn comes.
   *
   * @throws ApiError 429 if too many searches of the user wait, or if `signal` aborts before the turn comes, when no
   *   client reads the answer. 503 if too many searches wait in all.
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

  /** Resolves when the search is counted as running. */
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

  /** Starts waiting searches in order of arrival. Users who have reached their own limit are skipped. */
  #startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (this.#isFreeFor(waiting.user)) {
        waiting.start();
      }
    }
  }
}

/** Removes a user whose count becomes 0. */
function add(counts: Map<string, number>, user: string, by: number): void {
  const count = (counts.get(user) ?? 0) + by;
  if (count === 0) {
    counts.delete(user);
  } else {
    counts.set(user, count);
  }
}
