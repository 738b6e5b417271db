/** Checks whether an account may share, in the transaction that makes an item public. */
import { moderationText } from '@wirebench/contract';
import { ApiError } from '../api-error.ts';
import type { Queries } from '../storage/database/database.ts';
import { holdLock } from '../storage/database/dialect.ts';

/**
 * Locks what `subject` shares until the transaction ends, so that nothing is shared while the account is being
 * blocked.
 */
export function holdSharing(transaction: Queries, subject: string): Promise<void> {
  return holdLock(transaction, `sharing of ${subject}`);
}

/**
 * Checks that the account may share, and keeps its state until the transaction ends.
 *
 * @throws ApiError if the account is blocked.
 */
export async function requireSharing(transaction: Queries, subject: string): Promise<void> {
  await holdSharing(transaction, subject);
  await mayShare(transaction, subject);
}

/**
 * Checks that the account may share at this moment.
 *
 * @throws ApiError if the account is blocked.
 */
export async function mayShare(queries: Queries, subject: string): Promise<void> {
  const account = await queries
    .selectFrom('accounts')
    .select(['blocked_at', 'blocked_reason'])
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (account !== undefined && account.blocked_at !== null) {
    throw new ApiError('sharing-blocked', { message: moderationText.sharingBlocked(account.blocked_reason ?? '') });
  }
}
