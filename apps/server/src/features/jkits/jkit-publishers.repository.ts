/** The name that jkits are published under: a copy of the account's public name, for the search. */
import type { PublicNameCopies } from '../accounts/accounts.repository.ts';
import { keepWords } from './search-words.repository.ts';

export const jkitPublishers: PublicNameCopies = {
  lockOf: (subject) => `jkits of ${subject}`,

  async rename(transaction, subject, publicName) {
    const rows = await transaction
      .updateTable('jkits')
      .set({ publisher: publicName })
      .where('owner', '=', subject)
      .returningAll()
      .execute();
    if (rows.length > 0) {
      await keepWords(transaction, rows);
    }
  },
};
