/**
 * Threads that read one SQLite file side by side. Each has a few statements at a time and is given more when it has answered,
 * so that nobody waits for a slow one while another thread is free. Every read sees what was committed before it was asked for.
 */
import type { SqliteFile } from './open-sqlite.ts';
import { type Rows, rowsOf, SqliteThread, type Statement } from './sqlite-thread.ts';

/**
 * One that is busy with a long search must not keep the others' reads waiting. Each has a cache of pages of its own
 * (decision 32).
 */
const READERS = 2;

/** Statements that one thread is given at once: a message costs as much as a quick one of them. */
const AT_ONCE = 4;

interface Waiting {
  readonly statement: Statement;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

interface Reader {
  readonly thread: SqliteThread;
  isBusy: boolean;
  /** It has answered once. */
  isOpen: boolean;
}

/** Threads are started one after the other, when somebody waits and all others are busy. The file has to be open for writing all the while. */
export class SqliteReaders implements AsyncDisposable {
  readonly #file: SqliteFile;
  readonly #readers: Reader[] = [];
  #waiting: Waiting[] = [];
  #isScheduled = false;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Throws the product's error where there is one. */
  read(statement: Statement): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    this.#waiting.push({ statement, resolve, reject });
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // What is asked for in one turn of the event loop shares its messages.
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
      const thread = new SqliteThread({ file: this.#file, access: 'read' });
      const reader = { thread, isBusy: false, isOpen: false };
      this.#readers.push(reader);
      // Nobody is bound to a thread that has yet to start: one that is there may be free before.
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
      // Of a thread that ended before anybody was bound to it whoever waits gets the error too: the next read starts another one.
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
