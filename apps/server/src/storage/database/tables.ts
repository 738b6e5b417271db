/** The tables as Kysely sees them. Columns have types that SQLite and PostgreSQL share: text and integers. */
import type { AccountTables } from './account-tables.ts';
import type { CrashTables } from './crash-tables.ts';
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

export interface Tables extends FirmwareTables, JkitTables, AccountTables, CrashTables {
  feedback: FeedbackTable;
  schema_steps: SchemaStepTable;
}
