/** The SQL of a search of jkits, for running it without the product. */
import type { Jkit } from '@wirebench/contract';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { searchRepository } from '../features/jkits/search.repository.ts';
import type { DialectName } from '../storage/database/dialect.ts';
import type { Tables } from '../storage/database/tables.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Returns the statement for the first page of results of `query`, among the JKits of a type or all of them. */
export async function searchStatement(
  dialect: DialectName,
  query: string,
  { type, limit }: { type: Jkit['type'] | undefined; limit: number },
): Promise<Statement> {
  let statement: Statement | null = null;
  const queries = new Kysely<Tables>({
    dialect: {
      createAdapter: () => (dialect === 'postgres' ? new PostgresAdapter() : new SqliteAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => (dialect === 'postgres' ? new PostgresIntrospector(db) : new SqliteIntrospector(db)),
      createQueryCompiler: () => (dialect === 'postgres' ? new PostgresQueryCompiler() : new SqliteQueryCompiler()),
    },
    log: ({ query: { sql, parameters } }) => {
      statement = { sql, parameters };
    },
  });
  await searchRepository(queries).find({ query, type, skip: 0, limit });
  if (statement === null) {
    throw new Error(`A search for ${JSON.stringify(query)} asks the database nothing`);
  }
  return statement;
}
