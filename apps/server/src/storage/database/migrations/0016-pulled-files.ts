import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The hashes of files that a project has taken from manifests. They outlive the version. */
export const pulledFiles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('firmware_pulled_files')
      .addColumn('project_id', 'text', (column) =>
        column.notNull().references('firmware_projects.id').onDelete('cascade'),
      )
      .addColumn('version_key', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('pulled_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('firmware_pulled_files_key', ['project_id', 'version_key', 'place'])
      .execute();
  },
};
