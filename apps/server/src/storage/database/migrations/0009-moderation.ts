import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Reports, the moderation log, withheld items, ends of links, and tokens of one project. */
export const moderation: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['firmware_projects', 'firmware_versions', 'jkits']) {
      await db.schema.alterTable(table).addColumn('withheld', 'text').execute();
      await db.schema.alterTable(table).addColumn('withheld_reason', 'text').execute();
    }
    for (const table of ['firmware_projects', 'firmware_versions']) {
      await db.schema.alterTable(table).addColumn('share_ends_at', 'text').execute();
    }
    // Existing tokens have none: they stay valid for all projects of their owner.
    await db.schema.alterTable('publishing_tokens').addColumn('project_id', 'text').execute();
    await db.schema
      .createTable('reports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('item_type', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('item_name', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('reports_newest').on('reports').columns(['created_at', 'id']).execute();
    await db.schema.createIndex('reports_of_item').on('reports').columns(['item_type', 'item_id']).execute();
    await db.schema
      .createTable('moderation_log')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target_id', 'text', (column) => column.notNull())
      .addColumn('target_name', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('moderation_log_newest').on('moderation_log').columns(['at', 'id']).execute();
    await db.schema
      .createIndex('jkits_withheld')
      .on('jkits')
      .column('number')
      .where(sql.ref('withheld'), 'is not', null)
      .execute();
  },
};
