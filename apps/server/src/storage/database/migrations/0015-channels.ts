import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Gives every version a channel. Versions from before are stable. */
export const channels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('firmware_versions')
      .addColumn('channel', 'text', (column) => column.notNull().defaultTo('stable'))
      .execute();
  },
};
