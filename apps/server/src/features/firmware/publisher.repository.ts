/** The name that projects are published under: a copy of the account's public name. */
import type { Queries } from '../../storage/database/database.ts';

/**
 * Renames the publisher of all projects. Runs in the transaction that renames the account, which blocks new projects.
 */
export async function renameProjects(transaction: Queries, subject: string, publicName: string): Promise<void> {
  await transaction
    .updateTable('firmware_projects')
    .set(({ eb }) => ({ publisher: publicName, revision: eb('revision', '+', 1) }))
    .where('subject', '=', subject)
    .where('is_demo', '=', 0)
    .execute();
}
