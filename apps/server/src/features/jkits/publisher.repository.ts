/** The name that jkits are published under: a copy of the account's, which the search finds them by. */
import type { Queries } from '../../storage/database/database.ts';
import { keepWords } from './search-words.repository.ts';

/** In the transaction that renames the account, which keeps new jkits waiting. */
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
