/**
 * Limits the log while a dependency of the server is unavailable: one line per cause and second, however many calls
 * are refused. These lines carry no stack, since the code is not at fault.
 */
import type { Clock } from '@wirebench/clock';
import type { ErrorCode } from '@wirebench/contract';
import type { FastifyBaseLogger } from 'fastify';
import { IdentityUnavailableError } from '../identity/token-verifier.ts';
import { BlobStoreUnavailableError } from '../storage/blobs/blob-store.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';
import { reasonOf } from '../storage/failure-reason.ts';
import { SharedStoreUnavailableError } from '../storage/shared-store.ts';

const OUTAGES = [
  DatabaseUnavailableError,
  BlobStoreUnavailableError,
  SharedStoreUnavailableError,
  IdentityUnavailableError,
] as const;

/** Milliseconds in which a cause is logged once. */
const INTERVAL = 1_000;

/**
 * Maximum number of distinct causes in that time. All others count together: removing one instead would log it again at
 * once.
 */
const MAX_CAUSES = 20;

/** Characters of a reason, which may be a library's whole message. */
const LONGEST_REASON = 200;

interface Line {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly message: string;
  /** Calls since the last line. */
  calls: number;
}

/** Returns true if the error means that a dependency of the server is unavailable. */
export function isOutage(error: unknown): error is Error {
  return OUTAGES.some((type) => error instanceof type);
}

export class OutageLog implements Disposable {
  readonly #log: FastifyBaseLogger;
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();
  #cancel: (() => void) | null = null;

  constructor(log: FastifyBaseLogger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Logs the first call of a cause at once, and later ones together at the end of its second. */
  note(code: ErrorCode, message: string, error: Error): void {
    const reason = (error.cause === undefined ? error.message : reasonOf(error.cause)).slice(0, LONGEST_REASON);
    const key = this.#lines.size < MAX_CAUSES ? `${code} ${reason}` : code;
    const known = this.#lines.get(key);
    if (known !== undefined) {
      known.calls++;
      return;
    }
    const line = { code, reason, message, calls: 1 };
    this.#lines.set(key, line);
    this.#write(line);
    this.#cancel ??= this.#clock.schedule(INTERVAL, () => this.#endInterval());
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
  }

  /** Logs the causes that continue, and forgets the others. */
  #endInterval(): void {
    this.#cancel = null;
    for (const [key, line] of this.#lines) {
      if (line.calls === 0) {
        this.#lines.delete(key);
      } else {
        this.#write(line);
      }
    }
    if (this.#lines.size > 0) {
      this.#cancel = this.#clock.schedule(INTERVAL, () => this.#endInterval());
    }
  }

  #write(line: Line): void {
    const { code, reason, message, calls } = line;
    line.calls = 0;
    this.#log.error({ code, reason, calls }, message);
  }
}
