/** History of a project, and how often its versions were flashed. Only the owner sees it. */
import * as z from 'zod/mini';
import { Count, Timestamp, Uuid, wholeNumber } from './fields.ts';

/** Actions that the history records. */
export const historyActions = [
  'project-created',
  'project-described',
  'project-page-changed',
  'project-picture-added',
  'project-picture-removed',
  'project-published',
  'project-withdrawn',
  'project-link-renewed',
  'project-link-end-changed',
  'version-created',
  'version-described',
  'version-published',
  'version-withdrawn',
  'version-link-renewed',
  'version-link-end-changed',
  'version-console-changed',
  'version-channel-changed',
  'version-elf-added',
  'version-elf-removed',
  'version-deleted',
] as const;

/**
 * `by` is the user name at that time. `token` is the token that acted for the user; null if the user acted in person.
 */
export const HistoryEntry = z.object({
  _id: Uuid,
  at: Timestamp,
  action: z.enum(historyActions),
  version: z.nullable(z.string()),
  by: z.string(),
  token: z.nullable(z.object({ _id: Uuid, name: z.string() })),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryQuery = z.object({
  format: z._default(z.enum(['json', 'csv'], 'format must be json or csv'), 'json'),
  limit: z._default(wholeNumber('limit', 1, 100), 100),
  skip: z._default(wholeNumber('skip', 0, 1_000_000), 0),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** Newest first. The CSV has every entry and ignores `limit` and `skip`. */
export const History = z.object({
  history: z.array(HistoryEntry),
  pagination: z.object({ total: Count, limit: Count, skip: Count }),
});
export type History = z.infer<typeof History>;

const FlashCount = z.object({
  result: z.enum(['success', 'failure']),
  chip: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  count: Count,
});

const BuildFlashes = z.object({ buildId: Uuid, successes: Count, failures: Count });

/**
 * `counts` is sorted by frequency, highest first. `builds` is in the order of the version's builds, and missing if it
 * has none.
 */
export const FlashesAnswer = z.object({
  flashes: z.object({
    successes: Count,
    failures: Count,
    counts: z.array(FlashCount),
    builds: z.optional(z.array(BuildFlashes)),
  }),
});
export type FlashesAnswer = z.infer<typeof FlashesAnswer>;
