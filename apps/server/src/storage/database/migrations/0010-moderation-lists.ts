import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index for each list of the dashboard, in its order, with only the rows that it may show. */
export const moderationLists: Migration = {
  async up(db: Kysely<unknown>) {
    // Must equal the condition in `items.repository.ts`, or the database does not use the partial indexes.
    await sql`
      create index firmware_projects_moderated on firmware_projects (updated_at, id)
      where is_public = 1 or withheld is not null`.execute(db);
    await sql`
      create index firmware_versions_moderated on firmware_versions (created_at, id)
      where is_public = 1 or withheld is not null`.execute(db);
    await sql`
      create index jkits_moderated on jkits (created_at, number)
      where shared = 1 or withheld is not null`.execute(db);
    await sql`create index accounts_blocked_by_name on accounts (name_key) where blocked_at is not null`.execute(db);
  },
};
