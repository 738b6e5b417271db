/**
 * SHA-256 of files while they are written, on a thread of its own (decision 24): it reads again what was written, so that
 * bytes need not be handed over. Knows no spool and no store.
 */
import { Worker } from 'node:worker_threads';
import { BlobStoreUnavailableError } from './blob-store.ts';

/** To the thread. Of each file several with `done` false, one with `done` true. */
export interface HashRequest {
  /** Tells files apart: descriptors are used again. */
  readonly id: number;
  /** A descriptor of this process, open for reading until the answer. */
  readonly file: number;
  /** Bytes at the beginning of the file that are written. */
  readonly size: number;
  /** Whether these are all. */
  readonly done: boolean;
}

/** From the thread, one for each file. */
export interface HashAnswer {
  readonly id: number;
  /** Lower-case hex; null where the file could not be read. */
  readonly sha256: string | null;
  /** Why it could not be read. */
  readonly error: unknown;
}

/** The hash of a file that grows. */
export interface GrowingHash {
  /** The first `size` bytes of the file are written. */
  grow(size: number): void;
  /**
   * The hash of what it grew to, in lower-case hex. The file must stay open until this settles, whatever became of it. Rejects
   * with `BlobStoreUnavailableError` when it cannot be read, and with the error of a thread that ended.
   */
  end(): Promise<string>;
}

interface Waiting {
  resolve(sha256: string): void;
  reject(error: unknown): void;
}

/** One thread, started by the first file and again after it has failed. It keeps the process alive only while it owes a hash. */
export class HashThread implements AsyncDisposable {
  #worker: Worker | null = null;
  #ids = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Begins the hash of the file with this descriptor. Whoever begins ends. */
  begin(file: number): GrowingHash {
    const id = this.#ids++;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    // Who ends hears of it; a thread may fail before.
    promise.catch(() => undefined);
    this.#waiting.set(id, { resolve, reject });
    const worker = this.#running();
    worker.ref();
    let size = 0;
    const post = (done: boolean) => worker.postMessage({ id, file, size, done } satisfies HashRequest);
    return {
      grow: (written) => {
        size = written;
        post(false);
      },
      end: () => {
        post(true);
        return promise;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker === null) {
      const worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { name: 'hash' });
      worker.on('message', (answer: HashAnswer) => this.#answered(answer));
      worker.on('error', (error) => this.#ended(worker, error));
      worker.on('exit', () => this.#ended(worker, new Error('The hash thread has ended')));
      this.#worker = worker;
    }
    return this.#worker;
  }

  #answered(answer: HashAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) {
      this.#worker?.unref();
    }
    if (answer.sha256 === null) {
      waiting?.reject(new BlobStoreUnavailableError('away', { cause: answer.error }));
    } else {
      waiting?.resolve(answer.sha256);
    }
  }

  #ended(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) {
      return;
    }
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) {
      reject(error);
    }
    this.#waiting.clear();
  }
}
