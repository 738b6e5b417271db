import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dialectOf } from './frozen-dialect.ts';

/** Where the texts of shared chips are, among many more of messages: as `search.repository.ts` asks for them, to the letter. */
export const sharedChips: Migration = {
  async up(db: Kysely<unknown>) {
    if (dialectOf(db) !== 'postgres') {
      // SQLite's index gives what has the mark of chips in the order in which it is wanted.
      return;
    }
    await sql`
      create index jkit_search_chips on jkit_search (jkit)
      where strpos(text, E'   \\u0001') <> 0`.execute(db);
    const { rows } = await sql<{ schema: string }>`
      select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`.execute(db);
    const [{ schema } = { schema: null }] = rows;
    if (schema !== null) {
      await sql`
        create index jkit_search_chip_trigrams on jkit_search
        using gin (text ${sql.id(schema, 'gin_trgm_ops')}) with (fastupdate = off)
        where strpos(text, E'   \\u0001') <> 0`.execute(db);
    }
  },
};
