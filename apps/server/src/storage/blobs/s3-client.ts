/**
 * Calls to an S3 store: signed, retried where that helps, and aborted without progress. Their meaning for firmware
 * bytes is in `s3-store.ts`.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionFault } from '@wirebench/contract/connection-fault';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../../config.ts';
import { BlobMissingError, BlobStoreUnavailableError, type StoreFault } from './blob-store.ts';

export interface S3ClientOptions extends Omit<S3Config, 'publicUrl'> {
  /** Milliseconds before the first retry of a failed call. The wait doubles for each further one. */
  readonly retryDelay?: number;
  /** Milliseconds without progress after which a call is aborted. */
  readonly idleTimeout?: number;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Path and query below the bucket; empty for the bucket itself. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of a file to send as the body. */
  readonly file?: string;
}

/** An answer whose body can still be read. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the whole body. For short bodies. */
  text(): Promise<string>;
  /** Returns the body as it arrives. Fails if nothing arrives for too long. */
  stream(): Readable;
  /** Frees the connection for the next call. */
  discard(): Promise<void>;
}

/** Attempts per call: stores shed load with 503 and close idle connections without notice. */
const ATTEMPTS = 3;
const RETRY_DELAY = 200;

/** Milliseconds. Less than the ten seconds after which a hanging store has to count as unavailable. */
const IDLE_TIMEOUT = 8_000;

/** Codes of stores without free space: Ceph, MinIO, Garage. */
const FULL = /^(QuotaExceeded|XMinioStorageFull|InsufficientStorage)$/;

/** Codes for a request whose time differs from the store's (Amazon S3 API Reference, "Error responses"). */
const WRONG_CLOCK = /^(RequestTimeTooSkewed|RequestExpired|ExpiredToken)$/;

/** Aborts work that makes no progress for a while, whatever its total time. */
class IdleTimer {
  readonly #timeout: number;
  readonly #controller = new AbortController();
  readonly #aborted = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeout Milliseconds between two signs of progress. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#aborted.promise.catch(() => undefined);
    this.signal.addEventListener('abort', () => this.#aborted.reject(this.signal.reason));
  }

  /** Aborts after the timeout without progress. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Returns the result of `work`, or rejects after the timeout without progress. The signal alone is not enough: a
   * request holds it by a weak reference and may continue forever after a garbage collection.
   */
  guard<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([work, this.#aborted.promise]);
  }

  /** Starts or restarts the timeout. Call it for every progress. */
  wait(): void {
    clearTimeout(this.#timer);
    const ms = this.#timeout;
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`No progress within ${ms} ms`)), ms);
  }

  /** Stops the timeout until the next `wait`, while this side takes its time. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}

export class S3Client {
  readonly #aws: AwsClient;
  readonly #root: string;
  readonly #retryDelay: number;
  readonly #idleTimeout: number;

  constructor({ endpoint, bucket, retryDelay, idleTimeout, ...credentials }: S3ClientOptions) {
    this.#aws = new AwsClient({ ...credentials, service: 's3', retries: 0 });
    this.#root = bucketAddress(endpoint, bucket);
    this.#retryDelay = retryDelay ?? RETRY_DELAY;
    this.#idleTimeout = idleTimeout ?? IDLE_TIMEOUT;
  }

  /**
   * Calls the store with retries. Returns the answer, which may be a permanent refusal.
   *
   * @throws BlobStoreUnavailableError if all attempts fail.
   */
  async call(request: S3Request): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#once(request);
      if (!(result instanceof Failure)) {
        return result;
      }
      if (attempt === ATTEMPTS || !result.isWorthRepeating) {
        throw result.error;
      }
      await sleep(this.#retryDelay * 2 ** (attempt - 1));
    }
  }

  /** Calls the store without retries, for callers that repeat the call anyway. */
  async callOnce(request: S3Request, idleTimeout?: number): Promise<S3Answer> {
    const result = await this.#once(request, idleTimeout);
    if (result instanceof Failure) {
      throw result.error;
    }
    return result;
  }

  async #once(request: S3Request, idleTimeout = this.#idleTimeout): Promise<S3Answer | Failure> {
    const { method, path, headers = {}, file } = request;
    const idle = new IdleTimer(idleTimeout);
    idle.wait();
    try {
      const answer = await idle.guard(
        this.#aws.fetch(`${this.#root}${path}`, {
          method,
          headers,
          signal: idle.signal,
          ...(file === undefined ? {} : { body: bodyOf(file, idle), duplex: 'half' as const }),
        }),
      );
      idle.wait();
      const result = answerOf(answer, idle);
      if (!isTemporary(answer.status)) {
        return result;
      }
      const error = unavailable(answer.status, codeOf(await result.text()));
      return new Failure(error, error.reason !== 'full');
    } catch (error) {
      // A retry with a hanging store would take the same time again.
      const fault = connectionFault(error, this.#root);
      const cause = fault === null ? error : new Error(`${fault.what} ${fault.remedy}`, { cause: error });
      return new Failure(new BlobStoreUnavailableError('away', { cause }), !idle.signal.aborted);
    } finally {
      idle.pause();
    }
  }
}

/** Returns `{endpoint}/{bucket}`, the form that every store understands. */
export function bucketAddress(endpoint: string, bucket: string): string {
  return `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
}

/**
 * Returns the error that a refusal means. A missing bucket makes the store unavailable. Only an object in a bucket
 * can be missing.
 */
export async function refusal(answer: S3Answer, key: string): Promise<BlobMissingError | BlobStoreUnavailableError> {
  const code = codeOf(await answer.text());
  return answer.status === 404 && code === 'NoSuchKey' ? new BlobMissingError(key) : unavailable(answer.status, code);
}

/** A failed attempt. */
class Failure {
  readonly error: BlobStoreUnavailableError;
  readonly isWorthRepeating: boolean;

  constructor(error: BlobStoreUnavailableError, isWorthRepeating: boolean) {
    this.error = error;
    this.isWorthRepeating = isWorthRepeating;
  }
}

/**
 * Returns true if a retry may help. 409: another put of the same key is running (Amazon's
 * `ConditionalRequestConflict`).
 */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 409 || status === 429;
}

/** Returns the error. Its cause contains the store's answer for the log. */
function unavailable(status: number, code: string): BlobStoreUnavailableError {
  return new BlobStoreUnavailableError(status === 507 || FULL.test(code) ? 'full' : 'away', {
    fault: faultOf(status, code),
    cause: new Error(`The S3 store answered ${status} ${code}`.trim()),
  });
}

/** Returns the fault; null for an answer without a code, such as one to HEAD. */
function faultOf(status: number, code: string): StoreFault | null {
  if (code === 'NoSuchBucket') {
    return 'no-bucket';
  }
  if (WRONG_CLOCK.test(code)) {
    return 'wrong-clock';
  }
  return (status === 401 || status === 403) && code !== '' && !FULL.test(code) ? 'keys-refused' : null;
}

/** Returns the store's code of a refusal; empty if it sends none. */
function codeOf(text: string): string {
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
}

/** Returns the file as a body. Each piece that the connection accepts counts as progress. */
function bodyOf(file: string, idle: IdleTimer): NonNullable<RequestInit['body']> {
  const pieces = async function* () {
    for await (const piece of createReadStream(file)) {
      idle.wait();
      yield piece as Buffer;
    }
    idle.wait();
  };
  return Readable.toWeb(Readable.from(pieces(), { objectMode: false })) as NonNullable<RequestInit['body']>;
}

function answerOf(answer: Response, idle: IdleTimer): S3Answer {
  const { status, headers, body } = answer;
  return {
    status,
    headers,
    text: () => text(Readable.from(piecesOf(body, idle))),
    stream: () => Readable.from(piecesOf(body, idle), { objectMode: false, highWaterMark: 65_536 }),
    discard: async () => {
      await body?.cancel();
    },
  };
}

/** Yields the pieces of a body. The timeout runs only while the store is waited for, not while the reader is. */
async function* piecesOf(body: Response['body'], idle: IdleTimer): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader !== undefined) {
      idle.wait();
      const { done, value } = await idle.guard(reader.read());
      idle.pause();
      if (done) {
        return;
      }
      yield value;
    }
  } catch (error) {
    throw new BlobStoreUnavailableError('away', { cause: error });
  } finally {
    idle.pause();
    // Has no effect on a body that was read to its end.
    await reader?.cancel().catch(() => undefined);
  }
}
