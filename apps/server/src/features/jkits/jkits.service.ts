/** Rules of jkits: who may see, save, star and rate them, and how many a user may have. */
import type { Clock } from '@wirebench/clock';
import {
  type Jkit,
  type JkitChange,
  type JkitList,
  type JkitListQuery,
  type JkitSearchList,
  type JkitSearchQuery,
  jkitContentFault,
  jkitLimits,
  jkitText,
  type ListedJkit,
  type NewJkit,
  type StarredJkitList,
} from '@wirebench/contract';
import { ApiError, refusedField } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import { ConstraintError } from '../../storage/database/database-failure.ts';
import type { StoredJkit } from './jkit-rows.ts';
import type { JkitRepository, Saving } from './jkits.repository.ts';
import type { RatingRepository } from './ratings.repository.ts';
import type { SearchRepository } from './search.repository.ts';
import type { StarRepository } from './stars.repository.ts';

export interface JkitServiceParts {
  readonly jkits: JkitRepository;
  readonly stars: StarRepository;
  readonly ratings: RatingRepository;
  readonly search: SearchRepository;
  readonly clock: Clock;
  /** Maximum number of jkits of a user, for each type. */
  readonly limit: number;
}

export type JkitService = ReturnType<typeof jkitService>;

/**
 * Limits answers that list other users' jkits to `jkitLimits.answerSize`: each content may have 64 KiB, and a list
 * has a hundred jkits.
 */

/** Bytes around the list: brackets, pagination. */
const ENVELOPE = 1_024;
/** Bytes around each jkit: separators, the time of its star, the key of its content. */
const AROUND_EACH = 128;
/** Largest JSON form of a UTF-16 code unit, in bytes: `\u0000`. */
const BYTES_PER_UNIT = 6;

/** Returns the same jkits in their order. Each keeps its content while there is room for it. */
export function withinAnswerSize(jkits: readonly Jkit[]): readonly ListedJkit[] {
  if (isClearlyShort(jkits)) {
    return jkits;
  }
  const facts = jkits.map(({ content: _content, ...rest }) => rest);
  let left = jkitLimits.answerSize - ENVELOPE - facts.length * AROUND_EACH - bytesOf(facts);
  return jkits.map((jkit, index) => {
    // Most contents that do not fit are recognized without encoding them as JSON.
    const size = Buffer.byteLength(jkit.content) > left ? Number.POSITIVE_INFINITY : bytesOf(jkit.content);
    if (size > left) {
      return facts[index] ?? jkit;
    }
    left -= size;
    return jkit;
  });
}

/** Returns true if the answer certainly fits. This avoids encoding every answer twice, because few are long. */
function isClearlyShort(jkits: readonly Jkit[]): boolean {
  const units = jkits.reduce(
    (sum, { name, publisher, description, tags, version, content }) =>
      sum + [name, publisher, description, ...tags, version, content].join().length,
    0,
  );
  return ENVELOPE + jkits.length * 4 * AROUND_EACH + units * BYTES_PER_UNIT <= jkitLimits.answerSize;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function jkitService({ jkits, stars, ratings, search, clock, limit }: JkitServiceParts) {
  const now = () => new Date(clock.wallTime()).toISOString();
  const savingOf = ({ subject, username }: User): Saving => ({ owner: subject, publisher: username, at: now() });

  /**
   * Returns the jkit if `user` may see it: an own or a shared one. Any other is reported as not found.
   *
   * @throws ApiError if the user may not see it.
   */
  async function seen(user: User | null, id: string): Promise<StoredJkit> {
    const stored = await jkits.find(id);
    if (stored === null || !(stored.jkit.shared || isOwn(stored, user))) {
      throw stored?.isWithheld === true ? new ApiError('taken-down') : notFound();
    }
    return stored;
  }

  /**
   * Returns the jkit if `user` owns it.
   *
   * @throws ApiError if another user owns it.
   */
  async function requireOwn(user: User, id: string): Promise<Jkit> {
    const stored = await seen(user, id);
    if (!isOwn(stored, user)) {
      throw new ApiError('jkit-not-yours', { message: jkitText.notYours(stored.jkit.publisher) });
    }
    return stored.jkit;
  }

  /**
   * Returns another user's shared jkit.
   *
   * @throws ApiError if `user` owns it.
   */
  async function sharedByOthers(user: User, id: string): Promise<StoredJkit> {
    const stored = await seen(user, id);
    if (isOwn(stored, user)) {
      throw new ApiError('jkit-yours');
    }
    return stored;
  }

  return {
    async list({ subject }: User, query: JkitListQuery): Promise<JkitList> {
      const page = pageOf(query);
      const [data, total] = await Promise.all([jkits.page(subject, page), jkits.count(subject, page.type)]);
      return { data, pagination: { total, limit: page.limit, skip: page.skip } };
    },

    /** Returns a jkit. `user` is null for a visitor who opens a link without signing in. */
    get: async (user: User | null, id: string): Promise<Jkit> => (await seen(user, id)).jkit,

    async create(user: User, jkit: NewJkit): Promise<Jkit> {
      const created = await jkits.insert(jkit, savingOf(user), limit);
      if (created === null) {
        throw new ApiError('jkit-limit', { message: jkitText.limit(limit) });
      }
      return created;
    },

    async update(user: User, id: string, change: JkitChange): Promise<Jkit> {
      requireFitting(await requireOwn(user, id), change);
      const updated = await jkits.update(id, change, savingOf(user));
      if (updated === null) {
        throw (await jkits.find(id)) === null ? notFound() : new ApiError('jkit-changed');
      }
      return updated;
    },

    async remove(user: User, id: string): Promise<void> {
      await requireOwn(user, id);
      if (!(await jkits.remove(id, user.subject))) {
        throw notFound();
      }
    },

    /** Finds shared jkits. */
    async search({ q, type, skip, limit: size }: JkitSearchQuery): Promise<JkitSearchList> {
      // Asks for one jkit more than the limit, which shows whether more follow.
      const found = await search.find({ query: q, type, skip, limit: size + 1 });
      const data = [...withinAnswerSize(found.slice(0, size))];
      return { data, pagination: { limit: size, skip, hasMore: found.length > size } };
    },

    async isStarred(user: User, id: string): Promise<boolean> {
      const { number } = await seen(user, id);
      return stars.has(user.subject, number);
    },

    async star(user: User, id: string): Promise<void> {
      const { number } = await sharedByOthers(user, id);
      const star = { subject: user.subject, jkit: number, at: now() };
      if (!(await unlessGone(stars.add(star, jkitLimits.stars)))) {
        throw new ApiError('star-limit');
      }
    },

    /** Removes a star. This works for jkits that are no longer shared too, so that users can remove every star. */
    async unstar(user: User, id: string): Promise<void> {
      const stored = await jkits.find(id);
      const hadStar = stored !== null && (await stars.remove(user.subject, stored.number));
      if (!hadStar) {
        await seen(user, id);
      }
    },

    async starred({ subject }: User, query: JkitListQuery): Promise<StarredJkitList> {
      const page = pageOf(query);
      const [starred, total] = await Promise.all([stars.page(subject, page), stars.count(subject, page.type)]);
      const listed = withinAnswerSize(starred.map(({ jkit }) => jkit));
      const data = starred.map(({ jkit, createdAt }, index) => ({ jkit: listed[index] ?? jkit, createdAt }));
      return { data, pagination: { total, limit: page.limit, skip: page.skip } };
    },

    /** Returns the user's own rating; null without one. */
    async ratingOf(user: User, id: string): Promise<number | null> {
      const { number } = await seen(user, id);
      return ratings.starsOf(user.subject, number);
    },

    /** Rates a jkit. A later rating of the same user replaces the earlier one. */
    async rate(user: User, id: string, rating: number): Promise<Jkit> {
      const { number } = await sharedByOthers(user, id);
      return unlessGone(ratings.rate({ jkit: number, subject: user.subject, stars: rating }));
    },
  };
}

function isOwn({ owner }: StoredJkit, user: User | null): boolean {
  return user !== null && owner === user.subject;
}

/**
 * Checks that a change keeps the type, and that new content matches it. The type never changes, so the check needs no
 * transaction.
 *
 * @throws ApiError otherwise.
 */
function requireFitting({ type }: Jkit, change: JkitChange): void {
  if (change.type !== undefined && change.type !== type) {
    throw refusedField('type', jkitText.otherType);
  }
  const fault = change.content === undefined ? null : jkitContentFault(type, change.content);
  if (fault !== null) {
    throw refusedField('content', fault);
  }
}

function pageOf({ limit, skip, offset, sort, type }: JkitListQuery) {
  return { limit, skip: skip ?? offset ?? 0, sort, type };
}

/** Turns the failure of a foreign key into "not found": the jkit may be deleted after it was read. */
async function unlessGone<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConstraintError ? notFound() : error;
  }
}

function notFound(): ApiError {
  return new ApiError('not-found', { message: jkitText.notFound });
}
