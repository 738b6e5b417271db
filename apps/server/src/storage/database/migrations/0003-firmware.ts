import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Releases, their history and flash counts, and the ledger of the file store. */
export const firmware: Migration = {
  async up(db: Kysely<unknown>) {
    await addReleases(db);
    await addRecords(db);
    await addBytes(db);
  },
};

async function addReleases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('firmware_projects')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('publisher', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('device_family', 'text', (column) => column.notNull())
    .addColumn('device_model', 'text', (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('is_demo', 'integer', (column) => column.notNull())
    .addColumn('share_id', 'text', (column) => column.notNull().unique())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('firmware_projects_name', ['subject', 'name_key'])
    .execute();
  await db.schema
    .createTable('firmware_versions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) =>
      column.notNull().references('firmware_projects.id').onDelete('cascade'),
    )
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('version_key', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('share_id', 'text', (column) => column.notNull().unique())
    .addColumn('console_baud_rate', 'integer')
    .addColumn('console_line_ending', 'text')
    .addColumn('console_jkit_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('firmware_versions_version', ['project_id', 'version_key'])
    .execute();
}

async function addRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('firmware_flashes')
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('firmware_versions.id').onDelete('cascade'),
    )
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('chip', 'text', (column) => column.notNull())
    .addColumn('error_code', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('firmware_flashes_key', ['version_id', 'result', 'chip', 'error_code'])
    .execute();
  await db.schema
    .createTable('firmware_history')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) =>
      column.notNull().references('firmware_projects.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('version', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('token_id', 'text')
    .addColumn('token_name', 'text')
    .execute();
  await db.schema
    .createIndex('firmware_history_newest')
    .on('firmware_history')
    .columns(['project_id', 'at', 'id'])
    .execute();
}

async function addBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('firmware_blobs')
    .addColumn('sha256', 'text', (column) => column.primaryKey())
    .addColumn('blob_key', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('firmware_files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('firmware_versions.id').onDelete('cascade'),
    )
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    // Up to 2³² - 1, which does not fit into 32 signed bits.
    .addColumn('flash_offset', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull().references('firmware_blobs.sha256'))
    .execute();
  await db.schema.createIndex('firmware_files_of_version').on('firmware_files').column('version_id').execute();
  await db.schema.createIndex('firmware_files_with_bytes').on('firmware_files').column('sha256').execute();
  await db.schema
    .createTable('firmware_claims')
    .addColumn('upload_id', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull().references('firmware_blobs.sha256'))
    .addColumn('claimed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('firmware_claims_key', ['upload_id', 'sha256'])
    .execute();
  await db.schema.createIndex('firmware_claims_on_bytes').on('firmware_claims').column('sha256').execute();
  await db.schema
    .createTable('firmware_garbage')
    .addColumn('blob_key', 'text', (column) => column.primaryKey())
    .execute();
}
