/** The tables as Kysely sees them. Column types are those that SQLite and PostgreSQL share: text and integers. */
import type { AccountTables } from './account-tables.ts';
import type { CrashTables } from './crash-tables.ts';
import type { FirmwareTables } from './firmware-tables.ts';
import type { JkitTables } from './jkit-tables.ts';

/** ISO 8601 in UTC to the millisecond: sorts as text the way it sorts as time. */
type TimestampText = string;

interface FeedbackTable {
  id: string;
  email: string;
  /** `email` folded as searches are, for the filter and for counting senders; databases differ in how they fold letters. */
  email_key: string;
  message: string;
  /** The sender's `sub`. */
  subject: string;
  created_at: TimestampText;
}

/** Which version of the product took a step of the schema; of the first twelve nothing is known. */
interface SchemaStepTable {
  name: string;
  product_version: string;
}

export interface Tables extends FirmwareTables, JkitTables, AccountTables, CrashTables {
  feedback: FeedbackTable;
  schema_steps: SchemaStepTable;
}
