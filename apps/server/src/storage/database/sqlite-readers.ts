/**
 * Threads that read one SQLite file in parallel. Each gets a few statements at a time and more after its answer, so
 * that no statement waits for a slow one while another thread is free. Every read sees all commits before its call.
 */
import type { SqliteFile } from './open-sqlite.ts';
import { type Rows, rowsOf, SqliteThread, type StartRunner, type Statement } from './sqlite-thread.ts';

/**
 * Number of threads: while one runs a long search, the other serves further reads. Each has its own page cache
 * (decision 32).
 */
const READERS = 2;

/** Statements per message to a thread: a message costs as much as a fast statement. */
const AT_ONCE = 4;

interface Waiting {
  readonly statement: Statement;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

interface Reader {
  readonly thread: SqliteThread;
  isBusy: boolean;
  /** True: the thread has answered once. */
  isOpen: boolean;
}

/**
 * Starts threads one after the other, when statements wait and all threads are busy. The file has to stay open for
 * writing as long as readers exist.
 */
export class SqliteReaders implements AsyncDisposable {
  readonly #file: SqliteFile;
  readonly #startRunner: StartRunner | undefined;
  readonly #readers: Reader[] = [];
  #waiting: Waiting[] = [];
  #isScheduled = false;

  constructor(file: SqliteFile, startRunner?: StartRunner) {
    this.#file = file;
    this.#startRunner = startRunner;
  }

  /** Runs a statement and translates errors into the product's. */
  read(statement: Statement): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    this.#waiting.push({ statement, resolve, reject });
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Statements of the same turn of the event loop share messages.
      setImmediate(() => {
        this.#isScheduled = false;
        this.#handOut();
      });
    }
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#readers.map(async ({ thread }) => {
        await thread.run({ kind: 'close' });
        await thread[Symbol.asyncDispose]();
      }),
    );
  }

  #handOut(): void {
    const idle = this.#readers.filter(({ isBusy }) => !isBusy);
    for (const [index, reader] of idle.entries()) {
      const share = Math.min(AT_ONCE, Math.ceil(this.#waiting.length / (idle.length - index)));
      if (share > 0) {
        void this.#ask(reader, this.#waiting.splice(0, share));
      }
    }
    const areAllOpen = this.#readers.every(({ isOpen }) => isOpen);
    if (this.#waiting.length > 0 && this.#readers.length < READERS && areAllOpen) {
      const thread = new SqliteThread({ file: this.#file, access: 'read' }, this.#startRunner);
      const reader = { thread, isBusy: false, isOpen: false };
      this.#readers.push(reader);
      // No statement is assigned to a thread that is still starting: an existing one may become free earlier.
      void this.#ask(reader, []);
    }
  }

  async #ask(reader: Reader, batch: readonly Waiting[]): Promise<void> {
    reader.isBusy = true;
    try {
      const calls = batch.map(({ statement }) => ({ ...statement, kind: 'run' as const, inTransaction: false }));
      const outcomes = await reader.thread.runAll(calls.length === 0 ? [{ kind: 'open' }] : calls);
      reader.isOpen = true;
      for (const [index, { resolve, reject }] of batch.entries()) {
        settle(() => rowsOf(outcomes[index]), resolve, reject);
      }
    } catch (error) {
      // If a thread ends before it has statements, all waiting ones get the error. The next read starts another
      // thread.
      for (const { reject } of batch.length === 0 ? this.#waiting.splice(0) : batch) {
        reject(error);
      }
    }
    reader.isBusy = false;
    this.#handOut();
  }
}

function settle<Value>(produce: () => Value, resolve: (value: Value) => void, reject: (error: unknown) => void): void {
  try {
    resolve(produce());
  } catch (error) {
    reject(error);
  }
}
