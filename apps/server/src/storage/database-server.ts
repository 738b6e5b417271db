/** The PostgreSQL of `DATABASE_URL`, and the messages if it is unusable. */
import { StartError } from '../start-error.ts';
import { type Database, openDatabase } from './database/database.ts';
import { DatabaseUnavailableError, postgresState } from './database/database-failure.ts';
import { adviceForSchema, SchemaVersionError } from './database/schema.ts';
import { reasonOf } from './failure-reason.ts';

/**
 * Connects, and migrates the schema unless `open` opens it in another way.
 *
 * @throws StartError that names host and database, never the password.
 */
export async function openDatabaseServer(
  url: string,
  open: (options: { readonly url: string }) => Promise<Database> = openDatabase,
): Promise<Database> {
  try {
    return await open({ url });
  } catch (error) {
    throw new StartError(
      [`DATABASE_URL ${withoutPassword(url)} cannot be used (${reasonOf(error)}): ${adviceFor(error)}.`],
      {
        cause: error,
      },
    );
  }
}

function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function adviceFor(error: unknown): string {
  if (error instanceof SchemaVersionError) {
    return adviceForSchema(error);
  }
  const state = postgresState(error instanceof DatabaseUnavailableError ? error.cause : error);
  if (state === null) {
    return 'start the database, or set DATABASE_URL to where it is';
  }
  // Class 28: authorization. 3D000: there is no such database.
  if (/^28|^3D000/.test(state)) {
    return 'create the user and the database, or correct DATABASE_URL';
  }
  // 42501: privileges. PostgreSQL 15 and later let only the owner create tables in a database.
  if (state === '55P03') {
    return 'another program holds a table that has to be changed: end it, or try again later';
  }
  return state === '42501'
    ? 'make its user the owner of the database'
    : "check the database's own log, or set DATABASE_URL to another database";
}
