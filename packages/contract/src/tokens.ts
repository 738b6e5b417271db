/** Bodies and answers of the token calls. */
import * as z from 'zod/mini';
import { singleLine, Timestamp, Uuid } from './fields.ts';
import { tokenLimits, tokenScopes, tokenText } from './token-rules.ts';

const daysText = `A token lasts from 1 to ${tokenLimits.maxDays} days`;

export const NewToken = z.object(
  {
    name: singleLine('A name', tokenText.nameRequired, tokenLimits.nameMaxLength),
    /** The `_id` of one of the caller's projects. */
    projectId: z.string(tokenText.projectRequired).check(z.minLength(1, tokenText.projectRequired)),
    expiresInDays: z._default(
      z.int(daysText).check(z.minimum(1, daysText), z.maximum(tokenLimits.maxDays, daysText)),
      tokenLimits.defaultDays,
    ),
    /** True: the token may delete the project's oldest version when a new one would exceed the limit. */
    mayReplace: z.optional(z.boolean('mayReplace must be true or false')),
  },
  'The body must be a JSON object',
);
export type NewToken = z.infer<typeof NewToken>;

/**
 * `mayReplace` is present only if it is true. `project` is null for a token that covers all projects. `lastUsedAt` is
 * accurate to a minute.
 */
export const Token = z.object({
  _id: Uuid,
  name: z.string(),
  scope: z.enum(tokenScopes),
  project: z.nullable(z.object({ _id: Uuid, name: z.string() })),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
  mayReplace: z.optional(z.boolean()),
});
export type Token = z.infer<typeof Token>;

/** Newest first. */
export const TokenList = z.object({ tokens: z.array(Token) });
export type TokenList = z.infer<typeof TokenList>;

/** `secret` is the bearer token. Only this answer contains it; it cannot be read again. */
export const NewTokenAnswer = z.object({ token: Token, secret: z.string() });
export type NewTokenAnswer = z.infer<typeof NewTokenAnswer>;
