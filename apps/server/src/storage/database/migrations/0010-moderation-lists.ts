import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index for each list of the dashboard, in its order, with the rows alone that it may show. */
export const moderationLists: Migration = {
  async up(db: Kysely<unknown>) {
    // To the letter what `items.repository.ts` asks for: an index of some rows serves no other condition.
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
