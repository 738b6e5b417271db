/**
 * Rules of publishing tokens. The secret is 256 random bits, so that its plain SHA-256 can be stored: it cannot be
 * guessed and needs no slow hash.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import { type NewToken, type NewTokenAnswer, type Token, tokenLimits, tokenPrefix } from '@wirebench/contract';
import type { Actor } from '../../access/actor.ts';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { TokenHolder, TokenRepository } from './tokens.repository.ts';

const DAY = 86_400_000;

/** Milliseconds for which a token counts as just used: one write per minute instead of one per call. */
const USE_RESOLUTION = 60_000;

export type TokenService = ReturnType<typeof tokenService>;

export interface TokenServiceOptions {
  readonly tokens: TokenRepository;
  readonly clock: Clock;
  /** Days after its owner's last sign-in for which a token is valid; 0 sets no limit. */
  readonly ownerActiveDays: number;
  /** Returns true if an operator has disabled the account. Always false without accounts of the server's own. */
  readonly isDisabled: (subject: string) => boolean;
}

export function tokenService({ tokens: repository, clock, ownerActiveDays, isDisabled }: TokenServiceOptions) {
  const at = (moment: number) => new Date(moment).toISOString();

  return {
    /** Lists the caller's tokens, newest first, including expired ones. */
    list: ({ subject }: User): Promise<Token[]> => repository.ofSubject(subject),

    /** Creates a token. This is the only call that returns its secret. */
    async create(
      { subject, username }: User,
      { name, projectId, expiresInDays, mayReplace = false }: NewToken,
    ): Promise<NewTokenAnswer> {
      const secret = tokenPrefix + randomBytes(32).toString('base64url');
      const now = clock.wallTime();
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

    /**
     * Returns the owner and scope of the token `secret`; null if it is unknown or expired.
     *
     * @throws ApiError if the owner is blocked, disabled or inactive.
     */
    async verify(secret: string): Promise<TokenHolder | null> {
      const now = clock.wallTime();
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

    /**
     * Checks after a long upload that its author may still publish. An access token that has expired during the upload is no
     * reason to refuse it.
     *
     * @throws ApiError if the account was disabled, or the publishing token was revoked.
     */
    async stillMay({ user: { subject }, token }: Actor): Promise<void> {
      if (isDisabled(subject)) {
        throw new ApiError(token === null ? 'releases-sign-in-required' : 'token-owner-blocked');
      }
      if (token !== null && !(await repository.ofSubject(subject)).some(({ _id }) => _id === token.id)) {
        throw new ApiError('releases-sign-in-required');
      }
    },
  };
}

/** Returns true if `time` is earlier than `moment`. Null counts as earlier. */
function isBefore(time: string | null, moment: number): boolean {
  return time === null || Date.parse(time) < moment;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
