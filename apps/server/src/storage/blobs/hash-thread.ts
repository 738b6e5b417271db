/**
 * SHA-256 of files while they are written, in a worker thread (decision 24). The thread reads the written file, so
 * that bytes need not be transferred.
 */
import { AnsweringThread } from '../../answering-thread.ts';
import { BlobStoreUnavailableError } from './blob-store.ts';

/** Message to the thread: for each file several with `done` false, then one with `done` true. */
export interface HashRequest {
  /** Distinguishes files, because descriptors are reused. */
  readonly id: number;
  /** A descriptor of this process, open for reading until the answer. */
  readonly file: number;
  /** Number of bytes written so far. */
  readonly size: number;
  /** True: the file is complete. */
  readonly done: boolean;
}

/** Message from the thread, one for each file. */
export interface HashAnswer {
  readonly id: number;
  /** Lower-case hex; null if the file could not be read. */
  readonly sha256: string | null;
  /** Reason why the file could not be read. */
  readonly error: unknown;
}

/** The hash of a growing file. */
export interface GrowingHash {
  /** Reports that the first `size` bytes of the file are written. Has no effect after the end. */
  grow(size: number): void;
  /**
   * Returns the hash of the file in lower-case hex. The file must stay open until this settles, even after a failure.
   * Rejects with `BlobStoreUnavailableError` if the file cannot be read, and with the thread's error if the thread
   * ends.
   */
  end(): Promise<string>;
}

/** Hashes files in one thread of this process. */
export class HashThread implements AsyncDisposable {
  readonly #thread = new AnsweringThread<HashRequest, HashAnswer>(new URL('./hash.worker.ts', import.meta.url), 'hash');

  /** Begins the hash of the file with this descriptor. The caller has to end it. */
  begin(file: number): GrowingHash {
    const { post, answer } = this.#thread.ask();
    let size = 0;
    let hasEnded = false;
    return {
      grow: (written) => {
        // The upload may end before a write does. After the end, the thread has forgotten the file, and its
        // descriptor may belong to another file.
        if (!hasEnded) {
          size = written;
          post({ file, size, done: false });
        }
      },
      end: async () => {
        if (!hasEnded) {
          hasEnded = true;
          post({ file, size, done: true });
        }
        const { sha256, error } = await answer;
        if (sha256 === null) {
          throw new BlobStoreUnavailableError('away', { cause: error });
        }
        return sha256;
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}
