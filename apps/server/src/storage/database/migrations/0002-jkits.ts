import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { byteOrderedText, dialectOf } from './frozen-dialect.ts';

/** Jkits with their stars and ratings, and the tables that find shared ones by any part of a word. */
export const jkits: Migration = {
  async up(db: Kysely<unknown>) {
    await addJkits(db);
    await addOpinions(db);
    await addNameParts(db);
    await (dialectOf(db) === 'postgres' ? addPostgresSearch(db) : addSqliteSearch(db));
  },
};

async function addJkits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jkits')
    .addColumn('number', dialectOf(db) === 'postgres' ? 'bigserial' : 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('owner', 'text')
    .addColumn('publisher', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', byteOrderedText(db), (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('shared', 'integer', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('rating_total', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('rating_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    // Last, because it is by far the longest: SQLite can then read the other columns without it.
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('jkits_of_owner').on('jkits').columns(['owner', 'created_at']).execute();
}

async function addOpinions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jkit_stars')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('jkit', 'bigint', (column) => column.notNull().references('jkits.number').onDelete('cascade'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('jkit_stars_key', ['subject', 'jkit'])
    .execute();
  await db.schema.createIndex('jkit_stars_on_jkit').on('jkit_stars').column('jkit').execute();
  await db.schema
    .createTable('jkit_ratings')
    .addColumn('jkit', 'bigint', (column) => column.notNull().references('jkits.number').onDelete('cascade'))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('stars', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('jkit_ratings_key', ['jkit', 'subject'])
    .execute();
}

async function addNameParts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jkit_name_parts')
    .addColumn('jkit', 'bigint', (column) => column.notNull().references('jkits.number').onDelete('cascade'))
    .addColumn('part', byteOrderedText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('jkit_name_parts_key', ['jkit', 'part'])
    .execute();
  await db.schema
    .createIndex('jkit_name_parts_in_order')
    .on('jkit_name_parts')
    .columns(['part', 'jkit desc'])
    .execute();
}

/** Every sequence of three characters is a token. The text itself is not stored again. */
async function addSqliteSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create virtual table jkit_search using fts5(
      text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    )`.execute(db);
}

/** A separate table, because a search of it reads a fraction of the jkits' size. */
async function addPostgresSearch(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jkit_search')
    .addColumn('jkit', 'bigint', (column) => column.primaryKey().references('jkits.number').onDelete('cascade'))
    .addColumn('text', byteOrderedText(db), (column) => column.notNull())
    .execute();
  const schema = await trigramSchema(db);
  if (schema !== null) {
    // Without a list of pending entries, which every search would have to read completely.
    await sql`
      create index jkit_search_trigrams on jkit_search
      using gin (text ${sql.id(schema, 'gin_trgm_ops')}) with (fastupdate = off)`.execute(db);
  }
}

/**
 * Returns the schema of pg_trgm and creates the extension if possible. Null if it is not available; then searches
 * read every text.
 */
async function trigramSchema(db: Kysely<unknown>): Promise<string | null> {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
    exception when others then
      raise notice 'pg_trgm: %', sqlerrm;
    end $$`.execute(db);
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db);
  return rows[0]?.schema ?? null;
}
