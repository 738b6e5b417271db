import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores for each account if it was an administrator at its last visit; null while that is unknown. */
export const accountRoles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accounts').addColumn('is_admin', 'integer').execute();
  },
};
