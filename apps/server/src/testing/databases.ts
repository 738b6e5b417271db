/**
 * Every kind of database that the product supports, for suites that have to pass on each. PostgreSQL comes from
 * `postgres-setup.ts`. It is missing only if none is installed, which `npm test` counts.
 */
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Environment } from '../config.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../storage/database/database.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import type { TestPostgres } from './postgres-setup.ts';
import { copyStarted } from './started-data.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A migrated database that is not open yet. */
export interface DatabasePlace extends AsyncDisposable {
  readonly options: DatabaseOptions;
  /** Settings of a server that uses the database. Without `DATABASE_URL`, the server uses a file in its `DATA_DIR`. */
  readonly environment: Environment;
}

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Creates a place for one or more servers or connections. */
  place(): Promise<DatabasePlace>;
  /** Creates a place for apps. It may contain what a server creates at its first start, to save time. */
  appPlace(): Promise<DatabasePlace>;
  /** Creates and opens a database. */
  open(): Promise<TestDatabase>;
}

const postgres = inject('postgres');

const sqlite = kind('SQLite', placeOnSqlite);

async function placeOnSqlite(): Promise<DatabasePlace> {
  const folder = await temporaryFolder();
  return {
    options: { path: join(folder.path, 'test.sqlite') },
    environment: {},
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export const databaseKinds: readonly DatabaseKind[] = [
  sqlite,
  ...(postgres === null
    ? []
    : [
        kind(
          'PostgreSQL',
          () => placeOnPostgres(postgres, postgres.template),
          () => startedPlace(postgres),
        ),
      ]),
];

async function placeOnPostgres({ url }: TestPostgres, template: string): Promise<DatabasePlace> {
  const database = await createPostgresDatabase(url, template);
  return {
    options: { url: database.url },
    environment: { DATABASE_URL: database.url },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function startedPlace(of: TestPostgres): Promise<DatabasePlace> {
  const { template, data } = of.started;
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await copyStarted(data, dataDir);
  const place = await placeOnPostgres(of, template);
  return {
    ...place,
    environment: { ...place.environment, DATA_DIR: dataDir },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** @param appPlace Without it, apps start with a copy of their own (`test-app.ts`). */
function kind(
  name: DatabaseKind['name'],
  place: () => Promise<DatabasePlace>,
  appPlace: () => Promise<DatabasePlace> = place,
): DatabaseKind {
  return {
    name,
    place,
    appPlace,
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
