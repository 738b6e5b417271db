/** The tables of firmware releases and publishing tokens. Flags are 0 or 1, times are text as in `tables.ts`. */
import type { HistoryEntry, ReleaseChannel } from '@wirebench/contract';
import type { Generated } from 'kysely';

export interface FirmwareTables {
  firmware_projects: ProjectTable;
  firmware_versions: VersionTable;
  firmware_builds: BuildTable;
  firmware_files: FileTable;
  firmware_elfs: ElfTable;
  firmware_pictures: PictureTable;
  firmware_pulled_files: PulledFileTable;
  firmware_flashes: FlashTable;
  firmware_build_flashes: BuildFlashTable;
  firmware_history: HistoryTable;
  firmware_blobs: BlobTable;
  firmware_claims: ClaimTable;
  firmware_garbage: GarbageTable;
  publishing_tokens: TokenTable;
}

/** Reason why an item is hidden from everyone but its owner; both null for an item that is not withheld. */
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
  /** Key by which names are compared; unique for a subject. */
  name_key: string;
  /** The name for the operators' search, folded like its queries. */
  search_key: Generated<string>;
  description: string;
  /** Null without one. */
  sentence: Generated<string | null>;
  /** Alternative text of the picture; null without a picture. */
  picture_text: Generated<string | null>;
  device_family: string;
  device_model: string;
  is_public: number;
  /** 1 for a release that comes with the product. It cannot be changed. */
  is_demo: number;
  share_id: string;
  /** Time at which the link ends; null if it does not. */
  share_ends_at: string | null;
  /** Increases with every change that a reader of the project sees, except the flash counts. */
  revision: number;
  created_at: string;
  updated_at: string;
}

interface VersionTable extends WithheldColumns {
  id: string;
  project_id: string;
  version: string;
  /** Key by which version numbers are compared; unique in a project. */
  version_key: string;
  description: string;
  is_public: number;
  share_id: string;
  /** Time at which the link ends; null if it does not. */
  share_ends_at: string | null;
  console_baud_rate: number | null;
  console_line_ending: string | null;
  console_jkit_id: string | null;
  channel: Generated<ReleaseChannel>;
  created_at: string;
}

/** A build of a version. A version of the simple form has none. */
interface BuildTable {
  id: string;
  version_id: string;
  /** Place among the builds of the version, from 0. */
  position: number;
  device_family: string;
  device_model: string;
  /** Guards; null for a guard that is not set. Bytes. */
  flash_size: number | null;
  psram: number | null;
  min_revision: number | null;
  connection: string | null;
}

interface FileTable {
  id: string;
  version_id: string;
  /** Null for a file of a version without builds. */
  build_id: Generated<string | null>;
  file_name: string;
  /** Bytes. */
  size: number;
  flash_offset: number;
  sha256: string;
}

/** The ELF file of a version's program, or of one of its builds. Only the owner may read it. */
interface ElfTable {
  version_id: string;
  /** Empty for the file of the version itself. */
  build_id: string;
  file_name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** A file of a project's picture. */
interface PictureTable {
  project_id: string;
  /** `light` or `dark`. */
  theme: string;
  /** Media type. */
  type: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** A file that a project has taken from a manifest, pinned by its hash. */
interface PulledFileTable {
  project_id: string;
  version_key: string;
  /** Build and flash address of the file; unique in a version. */
  place: string;
  file_name: string;
  sha256: string;
  pulled_at: string;
}

/** Number of flashes of a version with the same result. Empty text means "not reported". */
interface FlashTable {
  version_id: string;
  result: 'success' | 'failure';
  chip: string;
  error_code: string;
  count: number;
}

/** Number of flashes of a build with the same result. They are also counted for the version. */
interface BuildFlashTable {
  build_id: string;
  result: 'success' | 'failure';
  count: number;
}

/** Rows are added, never changed, and deleted with their project. */
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

/**
 * Bytes that the file store keeps or is about to receive. A row without claim, file, ELF file and picture is about to
 * be removed.
 */
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

/** Keys of unneeded bytes that may still be in the store. */
interface GarbageTable {
  blob_key: string;
}

interface TokenTable {
  id: string;
  subject: string;
  /** The owner's public name when the token was created. */
  username: string;
  /** The one project that the token may publish; null for all projects of the owner. */
  project_id: string | null;
  name: string;
  /** SHA-256 of the secret, in hex. */
  secret_hash: string;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  /** 1 for a token that may delete the oldest version to make room for a new one. */
  may_replace: Generated<number>;
}
