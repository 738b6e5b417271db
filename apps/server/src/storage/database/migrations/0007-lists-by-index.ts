import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index for each order of a list, so that a page of a long list costs as much as a page of a short one. */
export const listsByIndex: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('jkits_of_owner').execute();
    await db.schema.createIndex('jkits_by_creation').on('jkits').columns(['owner', 'created_at', 'number']).execute();
    await db.schema.createIndex('jkits_by_change').on('jkits').columns(['owner', 'updated_at', 'number']).execute();
    await db.schema.createIndex('jkits_by_name').on('jkits').columns(['owner', 'name_key', 'number desc']).execute();
    // Must equal the expression in `jkit-order.repository.ts`.
    await sql`
      create index jkits_by_rating on jkits (
        owner, (case when rating_count = 0 then 0 else rating_total * 1.0 / rating_count end), number
      )`.execute(db);
    await db.schema
      .createIndex('jkit_stars_newest')
      .on('jkit_stars')
      .columns(['subject', 'created_at', 'jkit'])
      .execute();
    await db.schema
      .createIndex('firmware_projects_by_change')
      .on('firmware_projects')
      .columns(['subject', 'updated_at', 'id'])
      .execute();
  },
};
