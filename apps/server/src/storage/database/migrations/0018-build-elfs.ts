import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * An ELF file for each build of a version. The table is replaced, because SQLite cannot change a primary key. An empty
 * `build_id` is the file of the version itself.
 */
export const buildElfs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('firmware_elfs_of_builds')
      .addColumn('version_id', 'text', (column) =>
        column.notNull().references('firmware_versions.id').onDelete('cascade'),
      )
      // Builds are deleted with their version only, so they need no reference of their own.
      .addColumn('build_id', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull().references('firmware_blobs.sha256'))
      .addPrimaryKeyConstraint('firmware_elfs_key', ['version_id', 'build_id'])
      .execute();
    await sql`
      insert into firmware_elfs_of_builds (version_id, build_id, file_name, size, sha256)
      select version_id, '', file_name, size, sha256 from firmware_elfs`.execute(db);
    await db.schema.dropTable('firmware_elfs').execute();
    await db.schema.alterTable('firmware_elfs_of_builds').renameTo('firmware_elfs').execute();
    await db.schema.createIndex('firmware_elfs_with_bytes').on('firmware_elfs').column('sha256').execute();
  },
};
