import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { givenName, neutralName, publicNameKey } from './frozen-public-names.ts';
import { type SearchedRow, updateWords } from './frozen-search-words.ts';

/**
 * Creates an account with a public name for every owner of something. User names that may be shown stay. E-mail
 * addresses and subjects are replaced by neutral names, wherever they were copied to.
 */
export const accounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accounts')
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('public_name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull().unique())
      .addColumn('is_chosen', 'integer', (column) => column.notNull())
      .addColumn('last_seen_at', 'text')
      .addColumn('blocked_at', 'text')
      .addColumn('blocked_reason', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('accounts_blocked').on('accounts').column('blocked_at').execute();
    await nameOwners(db as QueriesThen);
  },
};

/** The tables that the step reads and writes, as of that version. */
interface TablesThen {
  accounts: AccountThen;
  firmware_projects: { readonly id: string; readonly subject: string; publisher: string; revision: number };
  firmware_history: { readonly project_id: string; actor: string };
  publishing_tokens: { readonly subject: string; username: string };
  jkits: SearchedRow & { readonly owner: string | null; readonly shared: number };
}

interface AccountThen {
  readonly subject: string;
  readonly id: string;
  readonly public_name: string;
  readonly name_key: string;
  readonly is_chosen: number;
  readonly last_seen_at: string | null;
  readonly created_at: string;
}

type QueriesThen = Kysely<TablesThen>;

interface Owner {
  readonly subject: string;
  readonly username: string;
}

async function nameOwners(db: QueriesThen): Promise<void> {
  // Owners of tokens count as seen today, so that the time limit for inactive owners begins with the update.
  const now = new Date().toISOString();
  const taken = new Set<string>();
  for (const { subject, username } of await ownersIn(db)) {
    const isFree = (name: string) => !taken.has(publicNameKey(name));
    const given = givenName(subject, username);
    let publicName = given !== null && isFree(given) ? given : neutralName(0);
    for (let attempt = 1; !isFree(publicName); attempt++) {
      publicName = neutralName(attempt);
    }
    taken.add(publicNameKey(publicName));
    await db
      .insertInto('accounts')
      .values({
        subject,
        id: randomUUIDv7(),
        public_name: publicName,
        name_key: publicNameKey(publicName),
        is_chosen: 0,
        last_seen_at: now,
        created_at: now,
      })
      .execute();
    await rename(db, subject, publicName);
  }
}

/** Returns every owner with the newest name under which they saved something. */
async function ownersIn(db: QueriesThen): Promise<readonly Owner[]> {
  const { rows } = await sql<Owner & { at: string }>`
    select subject, publisher as username, max(created_at) as at from firmware_projects
      where is_demo = 0 group by subject, publisher
    union all select owner, publisher, max(updated_at) from jkits where owner is not null group by owner, publisher
    union all select subject, username, max(created_at) from publishing_tokens group by subject, username
    order by at`.execute(db);
  return [...new Map(rows.map(({ subject, username }) => [subject, { subject, username }])).values()];
}

async function rename(db: QueriesThen, subject: string, publicName: string): Promise<void> {
  const projects = db.selectFrom('firmware_projects').select('id').where('subject', '=', subject);
  await db
    .updateTable('firmware_history')
    .set({ actor: publicName })
    .where('project_id', 'in', projects)
    .where('actor', '<>', publicName)
    .execute();
  await db
    .updateTable('firmware_projects')
    .set(({ eb }) => ({ publisher: publicName, revision: eb('revision', '+', 1) }))
    .where('subject', '=', subject)
    .where('publisher', '<>', publicName)
    .execute();
  await db
    .updateTable('publishing_tokens')
    .set({ username: publicName })
    .where('subject', '=', subject)
    .where('username', '<>', publicName)
    .execute();
  const renamed = await db
    .updateTable('jkits')
    .set({ publisher: publicName })
    .where('owner', '=', subject)
    .where('publisher', '<>', publicName)
    .returningAll()
    .execute();
  if (renamed.length > 0) {
    await updateWords(db, renamed);
  }
}
