import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores the sign-in name and the e-mail address of accounts, for operators; null until the next visit. */
export const accountNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['sign_in_name', 'email', 'sign_in_key']) {
      await db.schema.alterTable('accounts').addColumn(column, 'text').execute();
    }
  },
};
