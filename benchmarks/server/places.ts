/** The databases for all measurements: an SQLite file, and a separate PostgreSQL if it is installed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresPrograms, startCluster } from '@wirebench/server/testing/postgres.ts';
import { Client } from 'pg';
import { parentOf, processorSecondsOfChildren } from './processes.ts';

export interface Place extends AsyncDisposable {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly folder: string;
  /** Server configuration for this database. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Returns the processor time of the database's own processes in seconds. Undefined if there are no such processes,
   * or if the system does not report it.
   */
  databaseSeconds(): number | undefined;
  /** Argument for `openDatabase`. */
  readonly database: { readonly path: string } | { readonly url: string; readonly statementTimeout: number };
}

const LONG_TIMEOUT = 600_000;

export async function openSqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-benchmark-'));
  return {
    name: 'SQLite',
    folder,
    environment: {},
    databaseSeconds: () => undefined,
    database: { path: join(folder, 'data', 'wirebench.sqlite') },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Opens a PostgreSQL that writes through to the disk, like one in production; null if PostgreSQL is not installed. */
export async function openPostgresPlace(): Promise<Place | null> {
  if (findPostgresPrograms() === null) {
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-benchmark-'));
  const cluster = await startCluster({ fsync: 'on', full_page_writes: 'on' });
  const server = await serverProcess(cluster.url());
  return {
    name: 'PostgreSQL',
    folder,
    environment: { DATABASE_URL: cluster.url() },
    databaseSeconds: () => (server === undefined ? undefined : processorSecondsOfChildren(server)),
    database: { url: cluster.url(), statementTimeout: LONG_TIMEOUT },
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the parent process of all connections of a local PostgreSQL. */
async function serverProcess(url: string): Promise<number | undefined> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}
