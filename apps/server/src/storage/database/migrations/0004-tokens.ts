import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Publishing tokens, found by their hash for use and by their owner for lists. */
export const tokens: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('publishing_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text')
      .execute();
    await db.schema
      .createIndex('publishing_tokens_of_subject')
      .on('publishing_tokens')
      .columns(['subject', 'created_at', 'id'])
      .execute();
  },
};
