/** Bodies, queries and answers of the feedback calls. */
import * as z from 'zod/mini';
import { checkFeedbackMessage, feedbackLimits, feedbackText } from './feedback-rules.ts';
import { Count, plainText, singleLine, Timestamp, timeZone, Uuid, wholeNumber } from './fields.ts';

/** The sender's address. A name is accepted too, because not every account has an address. */
const Sender = singleLine('E-mail', 'Please enter an e-mail address', feedbackLimits.emailMaxLength);

export const NewFeedback = z.object(
  {
    // First field, because a refusal shows the first issue only.
    message: plainText(feedbackText.empty).check((context) => {
      const fault = checkFeedbackMessage(context.value);
      if (fault !== null) {
        context.issues.push({ code: 'custom', message: feedbackText[fault], input: context.value });
      }
    }),
    email: Sender,
  },
  'The body must be a JSON object',
);
export type NewFeedback = z.infer<typeof NewFeedback>;

export const Feedback = z.object({
  _id: Uuid,
  email: z.string(),
  message: z.string(),
  createdAt: Timestamp,
});
export type Feedback = z.infer<typeof Feedback>;

export const FeedbackAnswer = z.object({ data: Feedback });
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>;

/** Matches the whole address without case. Empty matches every sender. */
const senderFilter = z.optional(plainText('The e-mail filter must be text').check(z.trim(), z.maxLength(254)));

export const FeedbackQuery = z.object({
  page: z._default(wholeNumber('page', 1, 1_000_000), 1),
  limit: z._default(wholeNumber('limit', 1, 100), feedbackLimits.pageSize),
  email: senderFilter,
});
export type FeedbackQuery = z.infer<typeof FeedbackQuery>;

/** Newest first. `total` counts the messages that match the filter. `pages` is 0 if none match. */
export const FeedbackList = z.object({
  data: z.array(Feedback),
  pagination: z.object({ page: Count, limit: Count, total: Count, pages: Count }),
});
export type FeedbackList = z.infer<typeof FeedbackList>;

/** `timeZone` is an IANA name. It determines the start of the caller's day. */
export const FeedbackStatsQuery = z.object({ timeZone: z._default(timeZone, 'UTC') });
export type FeedbackStatsQuery = z.infer<typeof FeedbackStatsQuery>;

export const FeedbackStats = z.object({ totalFeedbacks: Count, todayFeedbacks: Count, uniqueEmails: Count });
export type FeedbackStats = z.infer<typeof FeedbackStats>;

export const FeedbackExportQuery = z.object({ email: senderFilter });
export type FeedbackExportQuery = z.infer<typeof FeedbackExportQuery>;
