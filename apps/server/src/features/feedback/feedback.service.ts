/// <reference lib="esnext.temporal" />
/** Rules of feedback: the sender's address, pages, the start of a day, and the export. */
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
    /**
     * Stores one message. The token's e-mail overrides the body's, so that users cannot write in another user's name.
     */
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

    /**
     * Counts messages. Today begins at midnight in the caller's `timeZone`, or later if daylight saving time skips
     * midnight.
     */
    async stats(timeZone: string): Promise<FeedbackStats> {
      const today = now(clock).toZonedDateTimeISO(timeZone).startOfDay().toInstant();
      const { all, recent, senders } = await repository.totals(today.toString({ smallestUnit: 'millisecond' }));
      return { totalFeedbacks: all, todayFeedbacks: recent, uniqueEmails: senders };
    },

    /**
     * Exports messages as CSV. It reads the first batch before it resolves, so that an unavailable database is
     * reported as an error and not as half a file.
     */
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
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(clock.wallTime()));
}
