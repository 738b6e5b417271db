/** The tables of crashes that people send to a publisher. Times are text as in `tables.ts`. */

export interface CrashTables {
  crash_groups: CrashGroupTable;
  crash_examples: CrashExampleTable;
}

/** The same crash of a version, however often it was sent. */
interface CrashGroupTable {
  version_id: string;
  fingerprint: string;
  cause: string;
  /** JSON: how often on which chip. */
  chips: string;
  count: number;
  first_seen_at: string;
  last_seen_at: string;
}

/** One of those that were sent. */
interface CrashExampleTable {
  version_id: string;
  /** The sender's, made for this crash. */
  id: string;
  fingerprint: string;
  received_at: string;
  chip: string;
  chip_revision: number | null;
  /** First digits of the SHA-256 of the ELF file that ran. */
  build: string | null;
  details: string;
  /** JSON. */
  tasks: string;
  /** A core dump in Base64. */
  memory: string | null;
  /** Bytes of the core dump; 0 without one. */
  memory_size: number;
}
