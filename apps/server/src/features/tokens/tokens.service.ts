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

export function tokenService(repository: TokenRepository, clock: Clock) {
  const at = (moment: number) => new Date(moment).toISOString();

  return {
    /** The caller's, newest first, expired ones included. */
    list: ({ subject }: User): Promise<Token[]> => repository.ofSubject(subject),

    /** The one time that the secret is known. */
    async create({ subject, username }: User, { name, expiresInDays }: NewToken): Promise<NewTokenAnswer> {
      const secret = tokenPrefix + randomBytes(32).toString('base64url');
      const now = clock.now();
      const token = await repository.insert(
        {
          subject,
          username,
          name,
          secretHash: hashOf(secret),
          createdAt: at(now),
          expiresAt: at(now + expiresInDays * DAY),
        },
        tokenLimits.tokensPerUser,
      );
      if (token === 'limit') {
        throw new ApiError('token-limit');
      }
      return { token, secret };
    },

    async remove(id: string, { subject }: User): Promise<void> {
      if (!(await repository.remove(id, subject))) {
        throw new ApiError('not-found');
      }
    },

    /** Whom `secret` speaks for; null when it is no good (any more). */
    async verify(secret: string): Promise<TokenHolder | null> {
      const now = clock.now();
      const holder = await repository.holder(hashOf(secret), at(now));
      if (holder !== null && (holder.lastUsedAt === null || Date.parse(holder.lastUsedAt) <= now - USE_RESOLUTION)) {
        await repository.markUsed(holder.id, at(now));
      }
      return holder;
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
