/**
 * SHA-256 of files while they are written, on a thread of its own (decision 24): it reads again what was written, so that
 * bytes need not be transferred. Knows no spool and no store.
 */
import { AnsweringThread } from '../../answering-thread.ts';
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
  /** The first `size` bytes of the file are written. Says nothing any more once the hash has ended. */
  grow(size: number): void;
  /**
   * The hash of what it grew to, in lower-case hex. The file must stay open until this settles, whatever became of it. Rejects
   * with `BlobStoreUnavailableError` when it cannot be read, and with the error of a thread that ended.
   */
  end(): Promise<string>;
}

/** One thread of this process hashes all files. */
export class HashThread implements AsyncDisposable {
  readonly #thread = new AnsweringThread<HashRequest, HashAnswer>(new URL('./hash.worker.ts', import.meta.url), 'hash');

  /** Begins the hash of the file with this descriptor. Whoever begins ends. */
  begin(file: number): GrowingHash {
    const { post, answer } = this.#thread.ask();
    let size = 0;
    let hasEnded = false;
    return {
      grow: (written) => {
        // What ends first, the writing or the upload, is not known: after the end the thread has forgotten the file, and its
        // descriptor may be another one's.
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
