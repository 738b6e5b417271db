/** The tables of reported crashes. Times are text as in `tables.ts`. */

export interface CrashTables {
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
