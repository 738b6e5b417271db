/** Starts one PostgreSQL for all tests of the server, with databases to copy, and ends it after the last test. */
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../storage/database/database.ts';
import { findPostgresPrograms, startCluster, type TestCluster } from './postgres.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { type StartedData, startOnce } from './started-data.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestPostgres {
  /** Address of a database in which others may be created. */
  readonly url: string;
  /** Name of a migrated database to copy. */
  readonly template: string;
  /** The database and the `DATA_DIR` of a server that has started once. */
  readonly started: { readonly template: string; readonly data: StartedData };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null if no PostgreSQL is available. */
    postgres: TestPostgres | null;
  }
}

let cluster: TestCluster | null = null;
const made = new AsyncDisposableStack();

export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined && findPostgresPrograms() === null) {
    console.warn('No PostgreSQL here: its suites are skipped. Install it, or set TEST_DATABASE_URL.');
    provide('postgres', null);
    return;
  }
  cluster = given === undefined ? await startCluster() : null;
  const url = given ?? cluster?.url() ?? '';
  const template = made.use(await createPostgresDatabase(url));
  await (await openDatabase({ url: template.url })).close();
  const used = made.use(await createPostgresDatabase(url, template.name));
  const folder = made.use(await temporaryFolder());
  const data = await startOnce(join(folder.path, 'data'), { DATABASE_URL: used.url });
  provide('postgres', { url, template: template.name, started: { template: used.name, data } });
}

export async function teardown(): Promise<void> {
  await made.disposeAsync();
  await cluster?.[Symbol.asyncDispose]();
}
