/** Bodies, queries and answers of the jkit calls. */
import * as z from 'zod/mini';
import { Count, plainText, singleLine, Timestamp, Uuid, wholeNumber } from './fields.ts';
import { checkJkitContent, jkitLimits, jkitSorts, jkitText, jkitTypes } from './jkit-rules.ts';
import { Withheld } from './withheld.ts';

const bodyText = 'The body must be a JSON object';
const { nameMaxLength, descriptionMaxLength, tagMaxLength, versionMaxLength, queryMaxLength, pageSize } = jkitLimits;

const Name = singleLine('JKit name', jkitText.nameRequired, nameMaxLength);

const Type = z.enum(jkitTypes, `JKit type must be one of ${jkitTypes.join(', ')}`);

/** JSON text. Kept to the letter, so that what this version does not know survives. */
const Content = plainText(jkitText.invalid).check((context) => {
  const fault = checkJkitContent(context.value);
  if (fault !== null) {
    context.issues.push({ code: 'custom', message: jkitText[fault], input: context.value });
  }
});

const Description = plainText('Description must be text').check(
  z.trim(),
  z.maxLength(descriptionMaxLength, `Description cannot exceed ${descriptionMaxLength} characters`),
);

const Shared = z.boolean('shared must be true or false');

const Tag = singleLine('A tag', 'A tag cannot be empty', tagMaxLength);
const Tags = z.array(Tag, 'Tags must be a list of strings').check(
  z.maxLength(jkitLimits.tags, `A JKit can have at most ${jkitLimits.tags} tags`),
  z.overwrite((tags) => [...new Set(tags)]),
);

const Version = plainText('Version must be text').check(
  z.trim(),
  z.maxLength(versionMaxLength, `Version cannot exceed ${versionMaxLength} characters`),
);

export const NewJkit = z.object(
  {
    name: Name,
    type: z._default(Type, 'uart'),
    content: Content,
    description: z._default(Description, ''),
    shared: z._default(Shared, false),
    tags: z._default(Tags, []),
    version: z._default(Version, '1.0.0'),
  },
  bodyText,
);
export type NewJkit = z.infer<typeof NewJkit>;

/** What is not in it stays as it is. */
export const JkitChange = z.object(
  {
    /** The `updatedAt` of the jkit that the change was made to: refused when somebody has changed it since. */
    basedOn: z.optional(Timestamp),
    name: z.optional(Name),
    type: z.optional(Type),
    content: z.optional(Content),
    description: z.optional(Description),
    shared: z.optional(Shared),
    tags: z.optional(Tags),
    version: z.optional(Version),
  },
  bodyText,
);
export type JkitChange = z.infer<typeof JkitChange>;

/** `publisher` is a public name. `withheld` is for the owner: why nobody else sees it. `rating` is the mean of `ratingCount` ratings from 1 to 5, and 0 while there are none. */
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

const limit = z._default(wholeNumber('limit', 1, 100), pageSize);

/** `offset` is another name for `skip`, which wins where both are given. */
export const JkitListQuery = z.object({
  limit,
  skip: z.optional(wholeNumber('skip', 0, 1_000_000)),
  offset: z.optional(wholeNumber('offset', 0, 1_000_000)),
  sort: z._default(z.enum(jkitSorts, `sort must be one of ${jkitSorts.join(', ')}`), 'createdAt'),
  type: z.optional(Type),
});
export type JkitListQuery = z.infer<typeof JkitListQuery>;

/** One of a list that others' jkits are in. Without its content where the answer would be too long: ask for the jkit itself. */
export const ListedJkit = z.extend(Jkit, { content: z.optional(z.string()) });
export type ListedJkit = z.infer<typeof ListedJkit>;

const Pagination = z.object({ total: Count, limit: Count, skip: Count });

export const JkitList = z.object({ data: z.array(Jkit), pagination: Pagination });
export type JkitList = z.infer<typeof JkitList>;

/** `createdAt` is when the star was given. */
export const StarredJkitList = z.object({
  data: z.array(z.object({ jkit: ListedJkit, createdAt: Timestamp })),
  pagination: Pagination,
});
export type StarredJkitList = z.infer<typeof StarredJkitList>;

/** Finds shared jkits only, whatever `shared` says. Words of `q` are looked for one by one; without any, nothing is found. */
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

/** Best first. How many there are in all is not counted, only whether more follow. */
export const JkitSearchList = z.object({
  data: z.array(ListedJkit),
  pagination: z.object({ limit: Count, skip: Count, hasMore: z.boolean() }),
});
export type JkitSearchList = z.infer<typeof JkitSearchList>;

export const StarAnswer = z.object({ data: z.object({ isStarred: z.boolean() }) });
export type StarAnswer = z.infer<typeof StarAnswer>;

const starsText = 'stars must be a whole number from 1 to 5';
export const NewRating = z.object(
  { stars: z.int(starsText).check(z.minimum(1, starsText), z.maximum(5, starsText)) },
  bodyText,
);
export type NewRating = z.infer<typeof NewRating>;

/** The caller's own rating, 1 to 5; null while there is none. */
export const RatingAnswer = z.object({
  data: z.object({ stars: z.nullable(z.int().check(z.minimum(1), z.maximum(5))) }),
});
export type RatingAnswer = z.infer<typeof RatingAnswer>;
