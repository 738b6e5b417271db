/** The name that jkits are published under: a copy of the account's public name, for the search. */
import type { Queries } from '../../storage/database/database.ts';
import { keepWords } from './search-words.repository.ts';

/** Renames the publisher of all jkits. Runs in the transaction that renames the account, which blocks new jkits. */
export async function renameJkits(transaction: Queries, owner: string, publicName: string): Promise<void> {
  const rows = await transaction
    .updateTable('jkits')
    .set({ publisher: publicName })
    .where('owner', '=', owner)
    .returningAll()
    .execute();
  if (rows.length > 0) {
    await keepWords(transaction, rows);
  }
}
