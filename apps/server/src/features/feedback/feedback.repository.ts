/** Queries of the feedback feature. No other file accesses its table. */
import { randomUUIDv7 } from 'node:crypto';
import type { Feedback } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { fold } from '../jkits/search-text.ts';

export interface NewFeedbackRow {
  readonly email: string;
  readonly message: string;
  /** The sender's `sub`. */
  readonly subject: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface FeedbackPage {
  /** Sender's address, compared without case, character width and blanks; null for every sender. */
  readonly email: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** The last entry read from a list ordered newest first. */
export type FeedbackPosition = Pick<Feedback, '_id' | 'createdAt'>;

export type FeedbackRepository = ReturnType<typeof feedbackRepository>;

export function feedbackRepository(queries: Queries) {
  /** Entries of one sender or of all, newest first. */
  const entries = (email: string | null) => {
    const all = queries
      .selectFrom('feedback')
      .select(['id as _id', 'email', 'message', 'created_at as createdAt'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    return email === null ? all : all.where('email_key', '=', fold(email));
  };

  return {
    async insert({ email, message, subject, createdAt }: NewFeedbackRow): Promise<Feedback> {
      const id = randomUUIDv7();
      await queries
        .insertInto('feedback')
        .values({ id, email, email_key: fold(email), message, subject, created_at: createdAt })
        .execute();
      return { _id: id, email, message, createdAt };
    },

    page: ({ email, offset, limit }: FeedbackPage): Promise<Feedback[]> =>
      entries(email).limit(limit).offset(offset).execute(),

    /** Returns at most `limit` entries after `position`, or the newest ones. The list may grow while it is read. */
    after: (email: string | null, position: FeedbackPosition | null, limit: number): Promise<Feedback[]> => {
      const older =
        position === null
          ? entries(email)
          : entries(email).where(({ eb, refTuple, tuple }) =>
              eb(refTuple('created_at', 'id'), '<', tuple(position.createdAt, position._id)),
            );
      return older.limit(limit).execute();
    },

    async count(email: string | null): Promise<number> {
      const all = queries.selectFrom('feedback').select(({ fn }) => fn.countAll().as('total'));
      const counted = email === null ? all : all.where('email_key', '=', fold(email));
      return Number((await counted.executeTakeFirstOrThrow()).total);
    },

    /**
     * Counts messages and senders. Addresses that differ only in case are one sender.
     *
     * @param since ISO 8601, UTC.
     */
    async totals(since: string): Promise<{ all: number; recent: number; senders: number }> {
      // Three counts, because each has a covering index. A combined count would read every message.
      const totals = await queries
        .selectNoFrom(({ selectFrom }) => [
          selectFrom('feedback')
            .select(({ fn }) => fn.countAll().as('count'))
            .as('all'),
          selectFrom('feedback')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('created_at', '>=', since)
            .as('recent'),
          selectFrom(selectFrom('feedback').select('email_key').distinct().as('each'))
            .select(({ fn }) => fn.countAll().as('count'))
            .as('senders'),
        ])
        .executeTakeFirstOrThrow();
      return { all: Number(totals.all), recent: Number(totals.recent), senders: Number(totals.senders) };
    },
  };
}
