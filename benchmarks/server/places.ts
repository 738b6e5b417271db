/** The databases that everything is measured on: an SQLite file, and a PostgreSQL of the benchmark's own where there is one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresPrograms, startCluster } from '@wirebench/server/testing/postgres.ts';
import { Client } from 'pg';
import { parentOf, processorSecondsOfChildren } from './processes.ts';

export interface Place extends AsyncDisposable {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly folder: string;
  /** What a server on it is configured with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Seconds of processor time of the database's own processes so far; undefined where it has none, or the system does not say. */
  databaseSeconds(): number | undefined;
  /** For `openDatabase`. */
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

/** Null where PostgreSQL is not installed. It writes through to the disk, as one in use does. */
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

/** The process that every connection of a PostgreSQL on this machine is a child of. */
async function serverProcess(url: string): Promise<number | undefined> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}
