/**
 * Rules of publishing tokens. The secret is 256 random bits, so its plain SHA-256 is enough to keep: there is nothing to guess
 * and no password to stretch.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import { type NewToken, type NewTokenAnswer, type Token, tokenLimits, tokenPrefix } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { TokenHolder, TokenRepository } from './tokens.repository.ts';

const DAY = 86_400_000;

/** Milliseconds for which a token's last use counts as now: one write a minute and not one a call. */
const USE_RESOLUTION = 60_000;

export type TokenService = ReturnType<typeof tokenService>;

export interface TokenServiceOptions {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
  /** Days after its owner's last sign-in for which a token is good; 0 for ever. */
  readonly ownerActiveDays: number;
  /** Whether an operator has disabled the account, where this server keeps accounts of its own. */
  readonly isDisabled: (subject: string) => boolean;
}

export function tokenService({ tokens: repository, clock, ownerActiveDays, isDisabled }: TokenServiceOptions) {
  const at = (moment: number) => new Date(moment).toISOString();

  return {
    /** The caller's, newest first, expired ones included. */
    list: ({ subject }: User): Promise<Token[]> => repository.ofSubject(subject),

    /** The one time that the secret is known. */
    async create(
      { subject, username }: User,
      { name, projectId, expiresInDays, mayReplace = false }: NewToken,
    ): Promise<NewTokenAnswer> {
      const secret = tokenPrefix + randomBytes(32).toString('base64url');
      const now = clock.now();
      const token = await repository.insert(
        {
          subject,
          username,
          projectId,
          name,
          secretHash: hashOf(secret),
          createdAt: at(now),
          expiresAt: at(now + expiresInDays * DAY),
          mayReplace,
        },
        tokenLimits.tokensPerUser,
      );
      if (token === 'limit') {
        throw new ApiError('token-limit');
      }
      if (token === 'no-project') {
        throw new ApiError('not-found');
      }
      return { token, secret };
    },

    async remove(id: string, { subject }: User): Promise<void> {
      if (!(await repository.remove(id, subject))) {
        throw new ApiError('not-found');
      }
    },

    /** The owner and reach of the token `secret`; null when it is not valid, or no longer. Throws when its owner's access has ended. */
    async verify(secret: string): Promise<TokenHolder | null> {
      const now = clock.now();
      const holder = await repository.holder(hashOf(secret), at(now));
      if (holder === null) {
        return null;
      }
      if (holder.isOwnerBlocked || isDisabled(holder.subject)) {
        throw new ApiError('token-owner-blocked');
      }
      if (ownerActiveDays > 0 && isBefore(holder.ownerSeenAt, now - ownerActiveDays * DAY)) {
        throw new ApiError('token-owner-inactive');
      }
      if (isBefore(holder.lastUsedAt, now - USE_RESOLUTION + 1)) {
        await repository.markUsed(holder.id, at(now));
      }
      return holder;
    },
  };
}

/** Whether `time` is earlier than `moment`, as what never was counts as. */
function isBefore(time: string | null, moment: number): boolean {
  return time === null || Date.parse(time) < moment;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
