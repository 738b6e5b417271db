/** Answers about the server itself, for its operators. */
import * as z from 'zod/mini';
import { Count, Timestamp } from './fields.ts';

/** Number of entries of the operators' lists. */
export const AdminCounts = z.object({ reports: Count, feedback: Count, accounts: Count, audit: Count });
export type AdminCounts = z.infer<typeof AdminCounts>;

/** A setting or a fact that an operator has to look at. `text` says what is wrong, `remedy` what to do. */
const StateWarning = z.object({ text: z.string(), remedy: z.string() });
export type StateWarning = z.infer<typeof StateWarning>;

/**
 * The state of the server. Sizes are in bytes. `version` of the database is that of SQLite or PostgreSQL, and `size` that
 * of the product's data in it; both are null while it does not answer. `isOwn` of the backups is false if the data is not
 * in DATA_DIR alone, so that tools of the database and of the store back it up. `last` is the newest backup that
 * `wirebench backup` made of this folder; null if there is none.
 */
export const ServerState = z.object({
  version: z.string(),
  node: z.string(),
  startedAt: Timestamp,
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    version: z.nullable(z.string()),
    schema: z.string(),
    size: z.nullable(Count),
  }),
  files: z.object({ kind: z.enum(['folder', 's3']), place: z.string(), answers: z.boolean() }),
  disk: z.object({ folder: z.string(), free: Count, size: Count }),
  backup: z.object({
    isOwn: z.boolean(),
    command: z.string(),
    last: z.nullable(z.object({ at: Timestamp, files: Count, bytes: Count })),
  }),
  warnings: z.array(StateWarning),
});
export type ServerState = z.infer<typeof ServerState>;
