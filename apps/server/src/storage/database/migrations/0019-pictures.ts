import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The sentence of a project, and the files of its picture: one, or one for each theme. */
export const pictures: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('firmware_projects').addColumn('sentence', 'text').execute();
    await db.schema.alterTable('firmware_projects').addColumn('picture_text', 'text').execute();
    await db.schema
      .createTable('firmware_pictures')
      .addColumn('project_id', 'text', (column) =>
        column.notNull().references('firmware_projects.id').onDelete('cascade'),
      )
      .addColumn('theme', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      // Older servers cannot remove bytes that a picture needs.
      .addColumn('sha256', 'text', (column) => column.notNull().references('firmware_blobs.sha256'))
      .addPrimaryKeyConstraint('firmware_pictures_key', ['project_id', 'theme'])
      .execute();
    await db.schema.createIndex('firmware_pictures_with_bytes').on('firmware_pictures').column('sha256').execute();
  },
};
