/** A database in a PostgreSQL that is running, gone when its test is. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface PostgresDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
}

/** `url` names any database of the server whose user may create others. Without a template the new one is empty. */
export async function createPostgresDatabase(url: string, template?: string): Promise<PostgresDatabase> {
  const name = `wirebench_test_${randomBytes(6).toString('hex')}`;
  await administer(url, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return {
    name,
    url: address.href,
    [Symbol.asyncDispose]: () => administer(url, `drop database ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
