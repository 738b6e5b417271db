/**
 * Every kind of database that the product runs on, for suites that have to pass on each. PostgreSQL is the one that
 * `postgres-setup.ts` provides; it is missing here only where it cannot be had at all, which `npm test` counts.
 */
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Environment } from '../config.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../storage/database/database.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An empty database with all tables, not yet opened. */
export interface DatabasePlace extends AsyncDisposable {
  readonly options: DatabaseOptions;
  /** What a server that uses it is configured with; without `DATABASE_URL` it uses a file in its `DATA_DIR`. */
  readonly environment: Environment;
}

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A place for one or more servers or connections. */
  place(): Promise<DatabasePlace>;
  /** One that is open already. */
  open(): Promise<TestDatabase>;
}

const postgres = inject('postgres');

const sqlite = kind('SQLite', async () => {
  const folder = await temporaryFolder();
  return {
    options: { path: join(folder.path, 'test.sqlite') },
    environment: {},
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

export const databaseKinds: readonly DatabaseKind[] = [
  sqlite,
  ...(postgres === null
    ? []
    : [
        kind('PostgreSQL', async () => {
          const database = await createPostgresDatabase(postgres.url, postgres.template);
          return {
            options: { url: database.url },
            environment: { DATABASE_URL: database.url },
            [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
          };
        }),
      ]),
];

function kind(name: DatabaseKind['name'], place: () => Promise<DatabasePlace>): DatabaseKind {
  return {
    name,
    place,
    open: async () => {
      const opened = await place();
      const database = await openDatabase(opened.options);
      return {
        database,
        [Symbol.asyncDispose]: async () => {
          await database.close();
          await opened[Symbol.asyncDispose]();
        },
      };
    },
  };
}
