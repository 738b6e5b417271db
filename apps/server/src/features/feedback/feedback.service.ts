/// <reference lib="esnext.temporal" />
/** Rules of feedback: whose address counts, what a page is, when a day began, what an export contains. */
import type { Clock } from '@wirebench/clock';
import {
  csvRecord,
  type Feedback,
  type FeedbackList,
  type FeedbackQuery,
  type FeedbackStats,
  type NewFeedback,
} from '@wirebench/contract';
import type { User } from '../../identity/user.ts';
import type { FeedbackPosition, FeedbackRepository } from './feedback.repository.ts';

/** Entries that an export holds in memory at a time. */
const EXPORT_BATCH = 500;

export interface FeedbackExport {
  readonly fileName: string;
  readonly csv: AsyncIterable<string>;
}

export type FeedbackService = ReturnType<typeof feedbackService>;

export function feedbackService(repository: FeedbackRepository, clock: Clock) {
  return {
    /** Stores one message. The token's e-mail wins over the body's, so nobody writes in another's name. */
    submit: (user: User, { email, message }: NewFeedback): Promise<Feedback> =>
      repository.insert({
        email: user.email ?? email,
        message: message.trim(),
        subject: user.subject,
        createdAt: now(clock).toString({ smallestUnit: 'millisecond' }),
      }),

    async list({ page, limit, email }: FeedbackQuery): Promise<FeedbackList> {
      const sender = senderOf(email);
      const [data, total] = await Promise.all([
        repository.page({ email: sender, offset: (page - 1) * limit, limit }),
        repository.count(sender),
      ]);
      return { data, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
    },

    /** `timeZone` is the caller's: today began there at midnight, or later where midnight is skipped for summer time. */
    async stats(timeZone: string): Promise<FeedbackStats> {
      const today = now(clock).toZonedDateTimeISO(timeZone).startOfDay().toInstant();
      const { all, recent, senders } = await repository.totals(today.toString({ smallestUnit: 'millisecond' }));
      return { totalFeedbacks: all, todayFeedbacks: recent, uniqueEmails: senders };
    },

    /** Has read the beginning when it resolves, so that a database that is away is still an error and not half a file. */
    async exportCsv(email: string | undefined): Promise<FeedbackExport> {
      const sender = senderOf(email);
      const first = await repository.after(sender, null, EXPORT_BATCH);
      return {
        fileName: `feedbacks-export-${now(clock).toZonedDateTimeISO('UTC').toPlainDate()}.csv`,
        csv: csvOf(repository, sender, first),
      };
    },
  };
}

async function* csvOf(repository: FeedbackRepository, sender: string | null, first: readonly Feedback[]) {
  yield csvRecord(['_id', 'email', 'message', 'createdAt']);
  let batch = first;
  while (batch.length > 0) {
    yield batch.map(({ _id, email, message, createdAt }) => csvRecord([_id, email, message, createdAt])).join('');
    const last: FeedbackPosition | undefined = batch.at(-1);
    batch = last === undefined || batch.length < EXPORT_BATCH ? [] : await repository.after(sender, last, EXPORT_BATCH);
  }
}

function senderOf(email: string | undefined): string | null {
  return email === undefined || email === '' ? null : email;
}

function now(clock: Clock): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(clock.now()));
}
