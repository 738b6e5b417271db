import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dialectOf } from './frozen-dialect.ts';

/**
 * Partial indexes for the texts of shared decoders among many more messages, as step 11 has them for chips. The conditions
 * must equal those of `search.repository.ts`.
 */
export const sharedDecoders: Migration = {
  async up(db: Kysely<unknown>) {
    if (dialectOf(db) !== 'postgres') {
      // SQLite's index returns entries with the mark of decoders in the wanted order.
      return;
    }
    await sql`
      create index jkit_search_decoders on jkit_search (jkit)
      where strpos(text, E'   \\u0002') <> 0`.execute(db);
    const { rows } = await sql<{ schema: string }>`
      select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`.execute(db);
    const [{ schema } = { schema: null }] = rows;
    if (schema !== null) {
      await sql`
        create index jkit_search_decoder_trigrams on jkit_search
        using gin (text ${sql.id(schema, 'gin_trgm_ops')}) with (fastupdate = off)
        where strpos(text, E'   \\u0002') <> 0`.execute(db);
    }
  },
};
