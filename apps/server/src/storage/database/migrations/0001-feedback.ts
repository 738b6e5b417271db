import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Messages from users, with indexes for their two orders: newest first, and newest first of one sender. */
export const feedback: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('feedback')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('feedback_newest').on('feedback').columns(['created_at', 'id']).execute();
    await db.schema
      .createIndex('feedback_of_sender')
      .on('feedback')
      .columns(['email_key', 'created_at', 'id'])
      .execute();
  },
};
