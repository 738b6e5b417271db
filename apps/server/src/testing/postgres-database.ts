/** A temporary database on a running PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface PostgresDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
}

/**
 * Creates a database. Without a template it is empty.
 *
 * @param url Any database of the server, with a user who may create databases.
 */
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
