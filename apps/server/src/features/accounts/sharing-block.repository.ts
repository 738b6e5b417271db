/** Whether an account may share, asked in the transaction that makes something public. */
import { moderationText } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import type { Queries } from '../../storage/database/database.ts';
import { holdLock } from '../../storage/database/dialect.ts';

/** Keeps what `subject` shares as it is until the transaction ends: nothing is shared while the account is being blocked. */
export function holdSharing(transaction: Queries, subject: string): Promise<void> {
  return holdLock(transaction, `sharing of ${subject}`);
}

/** Throws when the account is blocked; it stays as it is until the transaction ends. */
export async function requireSharing(transaction: Queries, subject: string): Promise<void> {
  await holdSharing(transaction, subject);
  await mayShare(transaction, subject);
}

/** Throws when the account is blocked at this moment. */
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
