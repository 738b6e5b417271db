/** The tables as Kysely sees them. Columns have types that SQLite and PostgreSQL share: text and integers. */

import type { ModerationAction, ReportedType, ReportReason } from '@wirebench/contract';
import type { Generated } from 'kysely';
import type { FirmwareTables } from './firmware-tables.ts';
import type { JkitTables } from './jkit-tables.ts';

/** ISO 8601 in UTC with milliseconds: the order of the texts is the order of the times. */
type TimestampText = string;

interface FeedbackTable {
  id: string;
  email: string;
  /** `email` folded like searches, for the filter and for counting senders. The databases fold letters differently. */
  email_key: string;
  message: string;
  /** The sender's `sub`. */
  subject: string;
  created_at: TimestampText;
}

/** The product version that applied a step of the schema; unknown for the first twelve. */
interface SchemaStepTable {
  name: string;
  product_version: string;
}

/** The tables of reported crashes. */

interface CrashTables {
  crash_groups: CrashGroupTable;
  crash_examples: CrashExampleTable;
  crash_builds: CrashBuildTable;
}

/** All occurrences of one crash of a version. */
interface CrashGroupTable {
  version_id: string;
  fingerprint: string;
  cause: string;
  /** JSON: count per chip. */
  chips: string;
  count: number;
  first_seen_at: string;
  last_seen_at: string;
}

/** One reported occurrence. */
interface CrashExampleTable {
  version_id: string;
  /** Created by the sender for this crash. */
  id: string;
  fingerprint: string;
  received_at: string;
  chip: string;
  chip_revision: number | null;
  /** First digits of the SHA-256 of the ELF file of the running program. */
  build: string | null;
  /** Build of the version; null if the report named none. */
  build_id: string | null;
  details: string;
  /** JSON. */
  tasks: string;
  /** A core dump in Base64. */
  memory: string | null;
  /** Bytes of the core dump; 0 without one. */
  memory_size: number;
}

/** Occurrences of a crash in one build of its version. */
interface CrashBuildTable {
  version_id: string;
  fingerprint: string;
  build_id: string;
  count: number;
}

/** The tables of accounts, reports and moderation. Flags are 0 or 1. */

interface AccountTables {
  accounts: AccountTable;
  reports: ReportTable;
  moderation_log: ModerationLogTable;
}

interface AccountTable {
  /** The token's `sub`. It is never shown. */
  subject: string;
  /** Id of the account for operators. */
  id: string;
  /** The name shown as publisher. It is copied to everything that the account publishes. */
  public_name: string;
  /** Key by which public names are compared; unique. */
  name_key: string;
  /** 0 for a name that the server has assigned. */
  is_chosen: number;
  /** Time of the last accepted access token, exact to an hour; null if unknown. */
  last_seen_at: string | null;
  /** 1 for an account that was an administrator at that time, else 0; null if unknown. */
  is_admin: Generated<number | null>;
  /** Name at the identity provider, as of the last visit; null if unknown. Only operators see it. */
  sign_in_name: Generated<string | null>;
  /** E-mail address, likewise. */
  email: Generated<string | null>;
  /** `publicNameKey` of both, which searches compare. */
  sign_in_key: Generated<string | null>;
  /** Null while the account may share. */
  blocked_at: string | null;
  blocked_reason: string | null;
  created_at: string;
}

/** The reporter is not stored. */
interface ReportTable {
  id: string;
  item_type: ReportedType;
  item_id: string;
  /** Name of the item at the time of the report. */
  item_name: string;
  reason: ReportReason;
  note: string;
  created_at: string;
}

/** Rows are only added. */
interface ModerationLogTable {
  id: string;
  at: string;
  /** The operator's `sub`. */
  subject: string;
  /** The operator's name at the identity provider. */
  actor: string;
  action: ModerationAction;
  /** The item or account, and its name at that time. */
  target_id: string;
  target_name: string;
  reason: string;
}

export interface Tables extends FirmwareTables, JkitTables, AccountTables, CrashTables {
  feedback: FeedbackTable;
  schema_steps: SchemaStepTable;
}
