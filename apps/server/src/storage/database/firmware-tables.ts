/** The tables of firmware releases and publishing tokens. Flags are 0 or 1, times are text as in `tables.ts`. */
import type { HistoryEntry } from '@wirebench/contract';
import type { Generated } from 'kysely';

export interface FirmwareTables {
  firmware_projects: ProjectTable;
  firmware_versions: VersionTable;
  firmware_files: FileTable;
  firmware_elfs: ElfTable;
  firmware_flashes: FlashTable;
  firmware_history: HistoryTable;
  firmware_blobs: BlobTable;
  firmware_claims: ClaimTable;
  firmware_garbage: GarbageTable;
  publishing_tokens: TokenTable;
}

/** Why nobody but its owner sees an item that would be public otherwise; both null for one that is not withheld. */
export interface WithheldColumns {
  withheld: 'taken-down' | 'blocked' | null;
  withheld_reason: string | null;
}

interface ProjectTable extends WithheldColumns {
  id: string;
  /** The owner's `sub`. */
  subject: string;
  /** The owner's public name. */
  publisher: string;
  name: string;
  /** What names are compared by; one of each for a subject. */
  name_key: string;
  /** The name as operators search for it, folded as searches are. */
  search_key: Generated<string>;
  description: string;
  device_family: string;
  device_model: string;
  is_public: number;
  /** 1 for the release that comes with the product: nobody may change it. */
  is_demo: number;
  share_id: string;
  /** When the link ends; null for one that does not. */
  share_ends_at: string | null;
  /** Counts everything that changes what a reader of the project sees, but for the counts of flashes. */
  revision: number;
  created_at: string;
  updated_at: string;
}

interface VersionTable extends WithheldColumns {
  id: string;
  project_id: string;
  version: string;
  /** What version numbers are compared by; one of each in a project. */
  version_key: string;
  description: string;
  is_public: number;
  share_id: string;
  /** When the link ends; null for one that does not. */
  share_ends_at: string | null;
  console_baud_rate: number | null;
  console_line_ending: string | null;
  console_jkit_id: string | null;
  created_at: string;
}

interface FileTable {
  id: string;
  version_id: string;
  file_name: string;
  /** Bytes. */
  size: number;
  flash_offset: number;
  sha256: string;
}

/** The ELF file of a version's program, which nobody but the owner reads. */
interface ElfTable {
  version_id: string;
  file_name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** How many flashes of a version went one way. Empty text stands for what was not reported. */
interface FlashTable {
  version_id: string;
  result: 'success' | 'failure';
  chip: string;
  error_code: string;
  count: number;
}

/** Lines are added and go with their project; nothing changes one. */
interface HistoryTable {
  id: string;
  project_id: string;
  at: string;
  action: HistoryEntry['action'];
  version: string | null;
  actor: string;
  token_id: string | null;
  token_name: string | null;
}

/** Bytes that the file store keeps, or is about to. A row without claim, file and ELF file is on its way out. */
interface BlobTable {
  sha256: string;
  blob_key: string;
  size: number;
}

/** An upload that needs these bytes until its version is written. */
interface ClaimTable {
  upload_id: string;
  sha256: string;
  claimed_at: string;
}

/** Keys whose bytes nothing will ever need again and that may still be in the store. */
interface GarbageTable {
  blob_key: string;
}

interface TokenTable {
  id: string;
  subject: string;
  /** The owner's public name when the token was made. */
  username: string;
  /** The one project that it publishes; null for all of the owner's. */
  project_id: string | null;
  name: string;
  /** SHA-256 of the secret, in hex. */
  secret_hash: string;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  /** 1 for one that may delete the oldest version to make room for a new one. */
  may_replace: Generated<number>;
}
