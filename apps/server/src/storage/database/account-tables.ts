/** The tables of accounts, reports and moderation. Flags are 0 or 1, times are text. */
import type { ModerationAction, ReportedType, ReportReason } from '@wirebench/contract';

export interface AccountTables {
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
