import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { fold } from './frozen-fold.ts';

/** Rows per batch. */
const BATCH = 500;

interface TablesThen {
  firmware_projects: { id: string; name: string; search_key: string };
  feedback: { id: string; email: string; email_key: string };
}

/**
 * Folds the operators' search texts like those of JKits: names of projects get a column for it, and senders of
 * feedback get a new key. From now on the product version of each step is stored, so that an older version can name
 * it. Tokens may be allowed to replace the oldest version.
 */
export const searchesAndTokens: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('firmware_projects')
      .addColumn('search_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    const then = db as Kysely<TablesThen>;
    await eachBatch(
      (after) =>
        then
          .selectFrom('firmware_projects')
          .select(['id', 'name as text'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(BATCH)
          .execute(),
      async (id, text) => {
        await then
          .updateTable('firmware_projects')
          .set({ search_key: fold(text) })
          .where('id', '=', id)
          .execute();
      },
    );
    await eachBatch(
      (after) =>
        then
          .selectFrom('feedback')
          .select(['id', 'email as text'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(BATCH)
          .execute(),
      async (id, text) => {
        const key = fold(text);
        await sql`update feedback set email_key = ${key} where id = ${id} and email_key <> ${key}`.execute(db);
      },
    );
    await db.schema
      .alterTable('publishing_tokens')
      .addColumn('may_replace', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('schema_steps')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('product_version', 'text', (column) => column.notNull())
      .execute();
  },
};

async function eachBatch(
  read: (after: string) => Promise<readonly { readonly id: string; readonly text: string }[]>,
  write: (id: string, text: string) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await read(after);
    for (const { id, text } of rows) {
      await write(id, text);
      after = id;
    }
    if (rows.length < BATCH) {
      return;
    }
  }
}
