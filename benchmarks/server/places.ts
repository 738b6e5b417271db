/** The databases that everything is measured on: an SQLite file, and a PostgreSQL of the benchmark's own where there is one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresPrograms, startCluster } from '@wirebench/server/testing/postgres.ts';

export interface Place extends AsyncDisposable {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly folder: string;
  /** What a server on it is configured with. */
  readonly environment: Readonly<Record<string, string>>;
  /** For `openDatabase`. */
  readonly database: { readonly path: string } | { readonly url: string; readonly statementTimeout: number };
}

const PATIENT = 600_000;

export async function openSqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-benchmark-'));
  return {
    name: 'SQLite',
    folder,
    environment: {},
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
  return {
    name: 'PostgreSQL',
    folder,
    environment: { DATABASE_URL: cluster.url() },
    database: { url: cluster.url(), statementTimeout: PATIENT },
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
