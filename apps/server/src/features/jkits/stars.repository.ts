/** Queries of the stars of jkits. */
import type { Jkit } from '@wirebench/contract';
import { sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { orderOf } from './jkit-order.repository.ts';
import { isKnownJkit, toJkit } from './jkit-rows.ts';
import type { JkitPage } from './jkits.repository.ts';

export interface NewStar {
  /** The user who gives the star. */
  readonly subject: string;
  readonly jkit: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A jkit with the time of its star in `createdAt`. */
export interface StarredJkit {
  readonly jkit: Jkit;
  readonly createdAt: string;
}

export type StarRepository = ReturnType<typeof starRepository>;

export function starRepository(queries: Queries) {
  /** Selects starred jkits that are still shared. */
  const starredBy = (subject: string, type: string | undefined) => {
    const starred = queries
      .selectFrom('jkit_stars')
      .innerJoin('jkits', 'jkits.number', 'jkit_stars.jkit')
      .where('jkit_stars.subject', '=', subject)
      .where('jkits.shared', '=', 1);
    return type === undefined ? starred : starred.where('jkits.type', '=', type);
  };

  return {
    /**
     * Adds a star; an existing one counts as added. Returns false if `subject` already has `limit` stars. Two
     * simultaneous calls cannot both take the last one.
     *
     * @throws ConstraintError if the jkit is deleted.
     */
    add: ({ subject, jkit, at }: NewStar, limit: number): Promise<boolean> =>
      inTransaction(
        queries,
        async (transaction) => {
          const { total } = await transaction
            .selectFrom('jkit_stars')
            .select(({ fn }) => fn.countAll<number>().as('total'))
            .where('subject', '=', subject)
            .where('jkit', '<>', jkit)
            .executeTakeFirstOrThrow();
          if (total >= limit) {
            return false;
          }
          await transaction
            .insertInto('jkit_stars')
            .values({ subject, jkit, created_at: at })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          return true;
        },
        { lock: `stars of ${subject}` },
      ),

    /** Returns true if there was a star. */
    async remove(subject: string, jkit: number): Promise<boolean> {
      const { numDeletedRows } = await queries
        .deleteFrom('jkit_stars')
        .where('subject', '=', subject)
        .where('jkit', '=', jkit)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async has(subject: string, jkit: number): Promise<boolean> {
      const row = await queries
        .selectFrom('jkit_stars')
        .select('jkit')
        .where('subject', '=', subject)
        .where('jkit', '=', jkit)
        .executeTakeFirst();
      return row !== undefined;
    },

    async page(subject: string, { type, sort, skip, limit }: JkitPage): Promise<StarredJkit[]> {
      const rows = await starredBy(subject, type)
        .selectAll('jkits')
        .select('jkit_stars.created_at as starred_at')
        .orderBy(sort === 'createdAt' ? sql`jkit_stars.created_at desc` : orderOf(sort))
        .orderBy('jkit_stars.jkit', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      return rows.filter(isKnownJkit).map(({ starred_at, ...row }) => ({ jkit: toJkit(row), createdAt: starred_at }));
    },

    async count(subject: string, type: string | undefined): Promise<number> {
      const { total } = await starredBy(subject, type)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}
