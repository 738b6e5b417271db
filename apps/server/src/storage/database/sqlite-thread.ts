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

/** The file of a connection, and what it is for. */
export interface ConnectionData {
  readonly file: SqliteFile;
  readonly access: 'read' | 'write';
}

/** Message to the thread. */
export interface Batch {
  readonly id: number;
  readonly calls: readonly Call[];
}

/** Message from the thread: an outcome for each call, in order. */
interface BatchAnswer {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}

/** Carries out the calls of one connection. */
export interface CallRunner extends AsyncDisposable {
  /**
   * Runs calls in order, one batch after the other.
   *
   * @throws DatabaseUnavailableError if the thread ends. The next call starts another one.
   */
  runAll(calls: readonly Call[]): Promise<readonly Outcome[]>;
}

export type StartRunner = (data: ConnectionData) => CallRunner;

/** Runs calls in a worker thread, which starts with the first call. */
export const runOnThread: StartRunner = (data) => {
  const module = new URL('./sqlite.worker.ts', import.meta.url);
  const thread = new AnsweringThread<Batch, BatchAnswer>(module, `sqlite ${data.access}`, data);
  return {
    runAll: async (calls) => {
      const { post, answer } = thread.ask();
      post({ calls });
      try {
        return (await answer).outcomes;
      } catch (error) {
        throw new DatabaseUnavailableError({ cause: error });
      }
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
};

export class SqliteThread implements AsyncDisposable {
  readonly #runner: CallRunner;

  /** @param startRunner Default: a worker thread. */
  constructor(data: ConnectionData, startRunner: StartRunner = runOnThread) {
    this.#runner = startRunner(data);
  }

  /** Runs calls in order, like `CallRunner`. */
  runAll(calls: readonly Call[]): Promise<readonly Outcome[]> {
    return this.#runner.runAll(calls);
  }

  /** Runs one call and translates its error into the product's. */
  async run(call: Call): Promise<Rows> {
    const [outcome] = await this.runAll([call]);
    return rowsOf(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
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
