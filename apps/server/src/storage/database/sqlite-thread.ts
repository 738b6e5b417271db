/**
 * One connection to an SQLite file on a thread of its own: what the thread is asked, what it answers. Knows neither Kysely nor
 * who else uses the file.
 */
import { AnsweringThread } from '../../answering-thread.ts';
import { DatabaseUnavailableError, sqliteFailure } from './database-failure.ts';
import type { SqliteFile } from './open-sqlite.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** `rollback` does nothing where SQLite has rolled back by itself. */
export type Call =
  | { readonly kind: 'open' | 'rollback' | 'close' }
  | (Statement & {
      readonly kind: 'run';
      /** Refuses to run outside of a transaction: on a thread that was started again, or after SQLite has rolled back by itself. */
      readonly inTransaction: boolean;
    });

export interface Rows {
  readonly rows: readonly unknown[];
  /** Of a statement that gives no rows. */
  readonly insertId?: bigint;
  readonly changes?: bigint;
}

/** An error as it travels between threads, which would keep its message alone. */
export interface Failure {
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export type Outcome = Rows | { readonly failure: Failure };

/** What a thread is given when it starts. */
export interface ThreadData {
  readonly file: SqliteFile;
  readonly access: 'read' | 'write';
}

/** To the thread. */
export interface Batch {
  readonly id: number;
  readonly calls: readonly Call[];
}

/** From the thread: an outcome for each call, in their order. */
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

  /** Throws `DatabaseUnavailableError` when the thread ends; the next call starts another one. */
  async runAll(calls: readonly Call[]): Promise<readonly Outcome[]> {
    const { post, answer } = this.#thread.ask();
    post({ calls });
    try {
      return (await answer).outcomes;
    } catch (error) {
      throw new DatabaseUnavailableError({ cause: error });
    }
  }

  /** Throws the product's error where there is one. */
  async run(call: Call): Promise<Rows> {
    const [outcome] = await this.runAll([call]);
    return rowsOf(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

/** Throws the product's error where there is one. */
export function rowsOf(outcome: Outcome | undefined): Rows {
  if (outcome === undefined) {
    throw new Error('The thread of a database left a call without an outcome');
  }
  if ('failure' in outcome) {
    const { message, details } = outcome.failure;
    throw sqliteFailure(Object.assign(new Error(message), details));
  }
  return outcome;
}
