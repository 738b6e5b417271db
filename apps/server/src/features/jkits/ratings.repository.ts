/** Queries of how jkits are rated. */
import type { Jkit } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { toJkit } from './jkit-rows.ts';

export interface NewRatingRow {
  readonly jkit: number;
  /** Who rates. */
  readonly subject: string;
  /** 1 to 5. */
  readonly stars: number;
}

export type RatingRepository = ReturnType<typeof ratingRepository>;

export function ratingRepository(queries: Queries) {
  return {
    /** Null while `subject` has not rated the jkit. */
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
     * Keeps one rating of each subject, the last one. Ratings of one jkit wait for each other, so that its sum is that of
     * all of them. Throws `ConstraintError` when the jkit is gone.
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
