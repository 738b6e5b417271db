/** Bodies, queries and answers of reports and moderation. */
import * as z from 'zod/mini';
import { Count, plainText, singleLine, Timestamp, Uuid, wholeNumber } from './fields.ts';
import {
  type ModerationAction,
  moderationActions,
  moderationLimits,
  moderationText,
  type ReportReason,
  reportedTypes,
  reportReasons,
} from './moderation-rules.ts';
import { Withheld } from './withheld.ts';

const bodyText = 'The body must be a JSON object';
const reasons = Object.keys(reportReasons) as ReportReason[];
const actions = Object.keys(moderationActions) as ModerationAction[];

const Type = z.enum(reportedTypes, `type must be one of ${reportedTypes.join(', ')}`);

const idText = 'id must be a share id or the id of a jkit';

/** `id` is the share ID of a project or version, or the ID of a JKit. */
export const NewReport = z.object(
  {
    type: Type,
    id: z.string(idText).check(z.regex(/^[\w-]{1,64}$/, idText)),
    reason: z.enum(reasons, `reason must be one of ${reasons.join(', ')}`),
    note: z._default(
      plainText('note must be text').check(
        z.trim(),
        z.maxLength(
          moderationLimits.noteMaxLength,
          `A note cannot exceed ${moderationLimits.noteMaxLength} characters`,
        ),
      ),
      '',
    ),
  },
  bodyText,
);
export type NewReport = z.infer<typeof NewReport>;

/** Reason of an operator's action. The owner of an item that is taken down reads it. */
export const ModerationReason = z.object(
  { reason: singleLine('A reason', moderationText.reasonRequired, moderationLimits.reasonMaxLength) },
  bodyText,
);
export type ModerationReason = z.infer<typeof ModerationReason>;

/** `path` leads to the item's page. `account` is the owner's; null for items that come with the product. */
export const ModeratedItem = z.object({
  type: Type,
  _id: Uuid,
  name: z.string(),
  publisher: z.string(),
  path: z.string(),
  account: z.nullable(z.object({ _id: Uuid, isBlocked: z.boolean() })),
  updatedAt: Timestamp,
  withheld: z.nullable(Withheld),
});
export type ModeratedItem = z.infer<typeof ModeratedItem>;

const page = {
  limit: z._default(wholeNumber('limit', 1, 100), moderationLimits.pageSize),
  skip: z._default(wholeNumber('skip', 0, 1_000_000), 0),
};
const Pagination = z.object({ total: Count, limit: Count, skip: Count });

export const ModerationPage = z.object(page);
export type ModerationPage = z.infer<typeof ModerationPage>;

/** `item` is null if it has been deleted since. `name` is the item's name at the time of the report. */
export const ReportEntry = z.object({
  _id: Uuid,
  type: Type,
  itemId: Uuid,
  reason: z.enum(reasons),
  note: z.string(),
  createdAt: Timestamp,
  name: z.string(),
  item: z.nullable(ModeratedItem),
});
export type ReportEntry = z.infer<typeof ReportEntry>;

/** Open reports, newest first. */
export const ReportList = z.object({ reports: z.array(ReportEntry), pagination: Pagination });
export type ReportList = z.infer<typeof ReportList>;

/** `q` is part of the item's name, or its publisher. */
export const ItemQuery = z.object({
  type: z._default(Type, 'project'),
  q: z._default(plainText('q must be text').check(z.trim(), z.maxLength(100, 'q cannot exceed 100 characters')), ''),
  ...page,
});
export type ItemQuery = z.infer<typeof ItemQuery>;

/** Items that are public, or were until they were withheld. Newest change first. */
export const ItemList = z.object({
  items: z.array(ModeratedItem),
  pagination: z.object({ limit: Count, skip: Count, hasMore: z.boolean() }),
});
export type ItemList = z.infer<typeof ItemList>;

export const ItemAnswer = z.object({ item: ModeratedItem });
export type ItemAnswer = z.infer<typeof ItemAnswer>;

/**
 * `lastSeenAt` is the last time that the account was signed in, accurate to an hour. `role` is missing while it is
 * unknown; with an external provider it is that of the last visit. `isDisabled` is true for an account of the server
 * itself that cannot sign in. `signInName` and `email` are the account's at the identity provider, missing while they are
 * unknown. `isYou` is true for the account of the caller, who cannot block it.
 */
export const ModeratedAccount = z.object({
  _id: Uuid,
  publicName: z.string(),
  signInName: z.optional(z.string()),
  email: z.optional(z.string()),
  isYou: z.optional(z.boolean()),
  role: z.optional(z.enum(['user', 'admin'])),
  isDisabled: z.optional(z.boolean()),
  lastSeenAt: z.nullable(Timestamp),
  tokens: Count,
  blocked: z.nullable(z.object({ reason: z.string(), at: Timestamp })),
});
export type ModeratedAccount = z.infer<typeof ModeratedAccount>;

/** Selects the accounts whose public name, sign-in name or e-mail address contains `q`; without `q`, all of them. `blocked`: only blocked ones. */
export const AccountQuery = z.object({
  q: z._default(plainText('q must be text').check(z.trim(), z.maxLength(100, 'q cannot exceed 100 characters')), ''),
  state: z._default(z.enum(['any', 'blocked'], 'state must be any or blocked'), 'any'),
  ...page,
});
export type AccountQuery = z.infer<typeof AccountQuery>;

/**
 * Sorted by name. `command` is the command line with which an operator makes, disables and changes accounts; missing if
 * an identity provider keeps them.
 */
export const AccountList = z.object({
  accounts: z.array(ModeratedAccount),
  command: z.optional(z.string()),
  pagination: z.object({ limit: Count, skip: Count, hasMore: z.boolean() }),
});
export type AccountList = z.infer<typeof AccountList>;

export const ModeratedAccountAnswer = z.object({ account: ModeratedAccount });
export type ModeratedAccountAnswer = z.infer<typeof ModeratedAccountAnswer>;

/** `by` is the operator's login name. `what` is the name of the item or account at that time. */
export const AuditEntry = z.object({
  _id: Uuid,
  at: Timestamp,
  by: z.string(),
  action: z.enum(actions),
  what: z.string(),
  reason: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first. The server appends entries and never changes them. */
export const AuditList = z.object({ entries: z.array(AuditEntry), pagination: Pagination });
export type AuditList = z.infer<typeof AuditList>;
