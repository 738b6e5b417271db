/** One connection to an SQLite file in a worker thread, and the messages to and from it. */
import { AnsweringThread } from '../../answering-thread.ts';
import { DatabaseUnavailableError, sqliteFailure } from './database-failure.ts';
import type { SqliteFile } from './open-sqlite.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A request to the thread. `rollback` has no effect if SQLite has already rolled back. */
export type Call =
  | { readonly kind: 'open' | 'rollback' | 'close' }
  | (Statement & {
      readonly kind: 'run';
      /**
       * True: refuses to run outside a transaction, which happens after a restart of the thread or a rollback by
       * SQLite itself.
       */
      readonly inTransaction: boolean;
    });

export interface Rows {
  readonly rows: readonly unknown[];
  /** Set for a statement that returns no rows. */
  readonly insertId?: bigint;
  readonly changes?: bigint;
}

/** An error in a form for messages between threads, which would otherwise keep only its text. */
export interface Failure {
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export type Outcome = Rows | { readonly failure: Failure };

/** Data for the start of a thread. */
export interface ThreadData {
  readonly file: SqliteFile;
  readonly access: 'read' | 'write';
}

/** Message to the thread. */
export interface Batch {
  readonly id: number;
  readonly calls: readonly Call[];
}

/** Message from the thread: an outcome for each call, in order. */
export interface BatchAnswer {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}

export class SqliteThread implements AsyncDisposable {
  readonly #thread: AnsweringThread<Batch, BatchAnswer>;

  constructor(data: ThreadData) {
    const module = new URL('./sqlite.worker.ts', import.meta.url);
    this.#thread = new AnsweringThread(module, `sqlite ${data.access}`, data);
  }

  /**
   * Runs calls in order.
   *
   * @throws DatabaseUnavailableError if the thread ends. The next call starts another one.
   */
  async runAll(calls: readonly Call[]): Promise<readonly Outcome[]> {
    const { post, answer } = this.#thread.ask();
    post({ calls });
    try {
      return (await answer).outcomes;
    } catch (error) {
      throw new DatabaseUnavailableError({ cause: error });
    }
  }

  /** Runs one call and translates its error into the product's. */
  async run(call: Call): Promise<Rows> {
    const [outcome] = await this.runAll([call]);
    return rowsOf(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

/** Returns the rows, or throws the outcome's error as the product's. */
export function rowsOf(outcome: Outcome | undefined): Rows {
  if (outcome === undefined) {
    throw new Error('The database thread returned no result for a call');
  }
  if ('failure' in outcome) {
    const { message, details } = outcome.failure;
    throw sqliteFailure(Object.assign(new Error(message), details));
  }
  return outcome;
}
