import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Builds of a version, their files, and the flashes and crashes that were reported for each. */
export const builds: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('firmware_builds')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('version_id', 'text', (column) =>
        column.notNull().references('firmware_versions.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('device_family', 'text', (column) => column.notNull())
      .addColumn('device_model', 'text', (column) => column.notNull())
      // Up to 2³², which does not fit into 32 signed bits.
      .addColumn('flash_size', 'bigint')
      .addColumn('psram', 'integer')
      .addColumn('min_revision', 'integer')
      .addColumn('connection', 'text')
      .addUniqueConstraint('firmware_builds_position', ['version_id', 'position'])
      .execute();
    // Builds are deleted with their version only, and so are files and crashes. They need no reference of their own.
    await db.schema.alterTable('firmware_files').addColumn('build_id', 'text').execute();
    await db.schema
      .createTable('firmware_build_flashes')
      .addColumn('build_id', 'text', (column) => column.notNull().references('firmware_builds.id').onDelete('cascade'))
      .addColumn('result', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('firmware_build_flashes_key', ['build_id', 'result'])
      .execute();
    await db.schema
      .createTable('crash_builds')
      .addColumn('version_id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('build_id', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('crash_builds_key', ['version_id', 'fingerprint', 'build_id'])
      .addForeignKeyConstraint(
        'crash_builds_of_group',
        ['version_id', 'fingerprint'],
        'crash_groups',
        ['version_id', 'fingerprint'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await db.schema.alterTable('crash_examples').addColumn('build_id', 'text').execute();
  },
};
