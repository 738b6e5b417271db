/** Queries of the jkits that come with the product. They have no owner. */
import type { Queries } from '../../storage/database/database.ts';
import type { JkitRow } from '../../storage/database/jkit-tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { fold } from './search-text.ts';
import { forgetWords, keepWords } from './search-words.repository.ts';

/** The columns that the product defines. The others are the same for all library jkits, or ratings. */
export type LibraryRow = Pick<
  JkitRow,
  'id' | 'type' | 'publisher' | 'name' | 'description' | 'tags' | 'version' | 'content'
>;

/** Numbers of jkits that were added, changed and removed. */
export interface LibraryChanges {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export type LibraryRepository = ReturnType<typeof libraryRepository>;

export function libraryRepository(queries: Queries) {
  return {
    /**
     * Makes the stored library equal to `wanted`, in one transaction. Jkits that remain keep their stars and ratings.
     * Unchanged ones are not written.
     *
     * @param at ISO 8601, UTC.
     */
    replace: (wanted: readonly LibraryRow[], at: string): Promise<LibraryChanges> =>
      inTransaction(
        queries,
        async (transaction) => {
          const present = new Map((await readAll(transaction)).map((row) => [row.id, row]));
          const added = wanted.filter(({ id }) => !present.has(id));
          const changed = wanted.filter((row) => differs(row, present.get(row.id)));
          for (const row of added) {
            await insert(transaction, row, at);
          }
          for (const row of changed) {
            await update(transaction, row, at);
          }
          const ids = new Set(wanted.map(({ id }) => id));
          const removed = [...present.values()].filter(({ id }) => !ids.has(id));
          await remove(transaction, removed);
          return { added: added.length, changed: changed.length, removed: removed.length };
        },
        { lock: 'jkit library' },
      ),
  };
}

function readAll(transaction: Queries): Promise<JkitRow[]> {
  return transaction.selectFrom('jkits').selectAll().where('owner', 'is', null).execute();
}

function differs(wanted: LibraryRow, present: JkitRow | undefined): boolean {
  const columns = Object.keys(wanted) as (keyof LibraryRow)[];
  return present !== undefined && columns.some((column) => wanted[column] !== present[column]);
}

async function insert(transaction: Queries, row: LibraryRow, at: string): Promise<void> {
  const inserted = await transaction
    .insertInto('jkits')
    .values({ ...row, name_key: fold(row.name), owner: null, shared: 1, created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
  await keepWords(transaction, [inserted]);
}

async function update(transaction: Queries, { id, ...row }: LibraryRow, at: string): Promise<void> {
  const updated = await transaction
    .updateTable('jkits')
    .set({ ...row, name_key: fold(row.name), updated_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await keepWords(transaction, [updated]);
}

async function remove(transaction: Queries, rows: readonly JkitRow[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const numbers = rows.map(({ number }) => number);
  await forgetWords(transaction, numbers);
  await transaction.deleteFrom('jkits').where('number', 'in', numbers).execute();
}
