/** The tables of accounts, of what visitors report and of what operators do about it. Flags are 0 or 1, times are text. */
import type { ModerationAction, ReportedType, ReportReason } from '@wirebench/contract';

export interface AccountTables {
  accounts: AccountTable;
  reports: ReportTable;
  moderation_log: ModerationLogTable;
}

interface AccountTable {
  /** The token's `sub`. Never shown. */
  subject: string;
  /** What operators call the account by. */
  id: string;
  /** What everybody sees as publisher; copied to all that the account publishes. */
  public_name: string;
  /** What public names are compared by; one of each. */
  name_key: string;
  /** 0 for a name that the server has given. */
  is_chosen: number;
  /** When an access token of the account was last accepted, to an hour; null while that is not known. */
  last_seen_at: string | null;
  /** Null while the account may share. */
  blocked_at: string | null;
  blocked_reason: string | null;
  created_at: string;
}

/** Nothing is kept of who reports. */
interface ReportTable {
  id: string;
  item_type: ReportedType;
  item_id: string;
  /** What the item was called. */
  item_name: string;
  reason: ReportReason;
  note: string;
  created_at: string;
}

/** Lines are only ever added. */
interface ModerationLogTable {
  id: string;
  at: string;
  /** The operator's `sub`. */
  subject: string;
  /** What the operator is called by the identity provider. */
  actor: string;
  action: ModerationAction;
  /** The item or the account, and what it was called. */
  target_id: string;
  target_name: string;
  reason: string;
}
