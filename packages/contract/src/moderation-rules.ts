/** Rules of reports and moderation: the types and reasons of reports, and the texts for visitors and owners. */

/** Types of items that visitors can report and operators can take down. */
export const reportedTypes = ['project', 'version', 'jkit'] as const;
export type ReportedType = (typeof reportedTypes)[number];

/** Reason of a report → its words in the form. */
export const reportReasons = {
  harmful: 'It damages devices or does something other than it says',
  malware: 'It spies on people or attacks others',
  copyright: 'It belongs to somebody else',
  offensive: 'Its texts are offensive or against the law',
  spam: 'It is advertising or spam',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof reportReasons;

/** Lengths in UTF-16 code units. `openReports` is the number of unhandled reports that are kept for one item. */
export const moderationLimits = {
  noteMaxLength: 500,
  reasonMaxLength: 300,
  openReports: 20,
  pageSize: 50,
} as const;

/** Action of an operator → its words in the audit list. */
export const moderationActions = {
  'taken-down': 'Took down',
  restored: 'Restored',
  'reports-dismissed': 'Dismissed the reports of',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
  'tokens-revoked': 'Revoked the tokens of',
  'feedback-deleted': 'Deleted feedback',
} as const;
export type ModerationAction = keyof typeof moderationActions;

export const moderationText = {
  signInRequired: 'Please sign in to moderate',
  denied: "Access denied. You don't have permission to moderate.",
  ownAccount: 'You cannot block your own account. Another administrator can.',
  reasonRequired: 'Please say why',
  /** Shown to visitors. */
  takenDown: 'This was taken down by whoever runs this server.',
  /** Shown to the owner. */
  ownTakenDown: (reason: string) => `This was taken down by whoever runs this server: ${reason}`,
  sharingBlocked: (reason: string) => `Your account may not share anything on this server: ${reason}`,
} as const;
