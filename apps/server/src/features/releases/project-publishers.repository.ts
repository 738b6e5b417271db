/** The name that projects are published under: a copy of the account's public name. */
import type { PublicNameCopies } from '../accounts/accounts.repository.ts';

export const projectPublishers: PublicNameCopies = {
  lockOf: (subject) => `firmware projects of ${subject}`,

  async rename(transaction, subject, publicName) {
    await transaction
      .updateTable('firmware_projects')
      .set(({ eb }) => ({ publisher: publicName, revision: eb('revision', '+', 1) }))
      .where('subject', '=', subject)
      .where('is_demo', '=', 0)
      .execute();
  },
};
