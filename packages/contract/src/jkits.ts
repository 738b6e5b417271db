/** Queries and answers of the JKit calls. The bodies are in `jkit-bodies.ts`. */
import * as z from 'zod/mini';
import { Count, plainText, Timestamp, Uuid, wholeNumber } from './fields.ts';
import { jkitLimits, jkitSorts, jkitTypes } from './jkit-rules.ts';
import { Withheld } from './withheld.ts';

const Type = z.enum(jkitTypes, `JKit type must be one of ${jkitTypes.join(', ')}`);

/**
 * `publisher` is a public name. `withheld` is sent to the owner only, and says why other people cannot see the JKit.
 * `rating` is the mean of `ratingCount` ratings from 1 to 5; 0 without ratings.
 */
export const Jkit = z.object({
  _id: Uuid,
  name: z.string(),
  type: z.enum(jkitTypes),
  content: z.string(),
  description: z.string(),
  shared: z.boolean(),
  tags: z.array(z.string()),
  version: z.string(),
  publisher: z.string(),
  withheld: z.optional(Withheld),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  rating: z.number(),
  ratingCount: Count,
});
export type Jkit = z.infer<typeof Jkit>;

export const JkitAnswer = z.object({ data: Jkit });
export type JkitAnswer = z.infer<typeof JkitAnswer>;

const { queryMaxLength, pageSize } = jkitLimits;

const limit = z._default(wholeNumber('limit', 1, 100), pageSize);

/** `offset` is another name for `skip`. If both are given, `skip` wins. */
export const JkitListQuery = z.object({
  limit,
  skip: z.optional(wholeNumber('skip', 0, 1_000_000)),
  offset: z.optional(wholeNumber('offset', 0, 1_000_000)),
  sort: z._default(z.enum(jkitSorts, `sort must be one of ${jkitSorts.join(', ')}`), 'createdAt'),
  type: z.optional(Type),
});
export type JkitListQuery = z.infer<typeof JkitListQuery>;

/**
 * Entry of a list with other people's JKits. `content` is missing if the answer would be too long; read the JKit
 * itself then.
 */
export const ListedJkit = z.extend(Jkit, { content: z.optional(z.string()) });
export type ListedJkit = z.infer<typeof ListedJkit>;

const Pagination = z.object({ total: Count, limit: Count, skip: Count });

export const JkitList = z.object({ data: z.array(Jkit), pagination: Pagination });
export type JkitList = z.infer<typeof JkitList>;

/** `createdAt` is the time of the star. */
export const StarredJkitList = z.object({
  data: z.array(z.object({ jkit: ListedJkit, createdAt: Timestamp })),
  pagination: Pagination,
});
export type StarredJkitList = z.infer<typeof StarredJkitList>;

/**
 * Finds shared JKits only, regardless of a `shared` parameter. Each word of `q` is searched separately; an empty `q`
 * finds nothing.
 */
export const JkitSearchQuery = z.object({
  q: z._default(
    plainText('q must be text').check(z.maxLength(queryMaxLength, `q cannot exceed ${queryMaxLength} characters`)),
    '',
  ),
  type: z.optional(Type),
  limit,
  skip: z._default(wholeNumber('skip', 0, jkitLimits.searchDepth), 0),
});
export type JkitSearchQuery = z.infer<typeof JkitSearchQuery>;

/** Best match first. The total is not counted; `hasMore` says if more follow. */
export const JkitSearchList = z.object({
  data: z.array(ListedJkit),
  pagination: z.object({ limit: Count, skip: Count, hasMore: z.boolean() }),
});
export type JkitSearchList = z.infer<typeof JkitSearchList>;

export const StarAnswer = z.object({ data: z.object({ isStarred: z.boolean() }) });
export type StarAnswer = z.infer<typeof StarAnswer>;

/** The caller's own rating, 1 to 5; null before the first. */
export const RatingAnswer = z.object({
  data: z.object({ stars: z.nullable(z.int().check(z.minimum(1), z.maximum(5))) }),
});
export type RatingAnswer = z.infer<typeof RatingAnswer>;
