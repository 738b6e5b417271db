import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The ELF file of a version, and its reported crashes. */
export const crashes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('firmware_elfs')
      .addColumn('version_id', 'text', (column) =>
        column.primaryKey().references('firmware_versions.id').onDelete('cascade'),
      )
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull().references('firmware_blobs.sha256'))
      .execute();
    await db.schema.createIndex('firmware_elfs_with_bytes').on('firmware_elfs').column('sha256').execute();
    await db.schema
      .createTable('crash_groups')
      .addColumn('version_id', 'text', (column) =>
        column.notNull().references('firmware_versions.id').onDelete('cascade'),
      )
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('chips', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('first_seen_at', 'text', (column) => column.notNull())
      .addColumn('last_seen_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('crash_groups_key', ['version_id', 'fingerprint'])
      .execute();
    await db.schema
      .createIndex('crash_groups_newest')
      .on('crash_groups')
      .columns(['version_id', 'last_seen_at', 'fingerprint'])
      .execute();
    await db.schema.createIndex('crash_groups_oldest').on('crash_groups').column('last_seen_at').execute();
    await db.schema
      .createTable('crash_examples')
      .addColumn('version_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('chip', 'text', (column) => column.notNull())
      .addColumn('chip_revision', 'integer')
      .addColumn('build', 'text')
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('tasks', 'text', (column) => column.notNull())
      .addColumn('memory', 'text')
      .addColumn('memory_size', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('crash_examples_key', ['version_id', 'id'])
      .addForeignKeyConstraint(
        'crash_examples_of_group',
        ['version_id', 'fingerprint'],
        'crash_groups',
        ['version_id', 'fingerprint'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await db.schema
      .createIndex('crash_examples_newest')
      .on('crash_examples')
      .columns(['version_id', 'fingerprint', 'received_at', 'id'])
      .execute();
  },
};
