/** Queries of the ratings of jkits. */
import type { Jkit } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { toJkit } from './jkit-rows.ts';

export interface NewRatingRow {
  readonly jkit: number;
  /** The user who rates. */
  readonly subject: string;
  /** 1 to 5. */
  readonly stars: number;
}

export type RatingRepository = ReturnType<typeof ratingRepository>;

export function ratingRepository(queries: Queries) {
  return {
    /** Returns null if `subject` has not rated the jkit. */
    async starsOf(subject: string, jkit: number): Promise<number | null> {
      const row = await queries
        .selectFrom('jkit_ratings')
        .select('stars')
        .where('jkit', '=', jkit)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row?.stars ?? null;
    },

    /**
     * Stores the rating and replaces an earlier one of the same subject. Ratings of one jkit are serialized, so that
     * its sum covers all of them.
     *
     * @throws ConstraintError if the jkit is deleted.
     */
    rate: ({ jkit, subject, stars }: NewRatingRow): Promise<Jkit> =>
      inTransaction(
        queries,
        async (transaction) => {
          await transaction
            .insertInto('jkit_ratings')
            .values({ jkit, subject, stars })
            .onConflict((conflict) => conflict.columns(['jkit', 'subject']).doUpdateSet({ stars }))
            .execute();
          const { total, count } = await transaction
            .selectFrom('jkit_ratings')
            .select(({ fn }) => [fn.sum<number>('stars').as('total'), fn.countAll<number>().as('count')])
            .where('jkit', '=', jkit)
            .executeTakeFirstOrThrow();
          const row = await transaction
            .updateTable('jkits')
            .set({ rating_total: total, rating_count: count })
            .where('number', '=', jkit)
            .returningAll()
            .executeTakeFirstOrThrow();
          return toJkit(row);
        },
        { lock: `ratings of jkit ${jkit}` },
      ),
  };
}
