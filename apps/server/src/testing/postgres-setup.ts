/** Before the server's tests: one PostgreSQL for all of them, with a migrated database to copy. Ended after the last. */
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../storage/database/database.ts';
import { findPostgresPrograms, startCluster, type TestCluster } from './postgres.ts';
import { createPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';

export interface TestPostgres {
  /** Address of a database in which others may be created. */
  readonly url: string;
  /** Name of a migrated database that others are copied from. */
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where no PostgreSQL can be had. */
    postgres: TestPostgres | null;
  }
}

let cluster: TestCluster | null = null;
let template: PostgresDatabase | null = null;

export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined && findPostgresPrograms() === null) {
    console.warn('No PostgreSQL here: its suites are skipped. Install it, or set TEST_DATABASE_URL.');
    provide('postgres', null);
    return;
  }
  cluster = given === undefined ? await startCluster() : null;
  const url = given ?? cluster?.url() ?? '';
  template = await createPostgresDatabase(url);
  await (await openDatabase({ url: template.url })).close();
  provide('postgres', { url, template: template.name });
}

export async function teardown(): Promise<void> {
  await template?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
}
