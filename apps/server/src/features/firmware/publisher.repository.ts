/** The name that projects are published under: a copy of the account's. */
import type { Queries } from '../../storage/database/database.ts';

/** In the transaction that renames the account, which keeps new projects waiting. */
export async function renameProjects(transaction: Queries, subject: string, publicName: string): Promise<void> {
  await transaction
    .updateTable('firmware_projects')
    .set(({ eb }) => ({ publisher: publicName, revision: eb('revision', '+', 1) }))
    .where('subject', '=', subject)
    .where('is_demo', '=', 0)
    .execute();
}
