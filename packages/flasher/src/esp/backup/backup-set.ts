/**
 * Backup sets: one zip with the contents of partitions, or of the whole flash, and a manifest with their places and
 * hashes. A restore checks all of it before anything is planned.
 */
import { givenText } from '@wirebench/port/given-text';
import type { BoardChange } from '../../core/board-change.ts';
import { sizeText } from '../../core/bytes.ts';
import { overlapOf, partsOutside, without } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { wholeChange } from '../../core/whole-change.ts';
import { archivePath } from '../../images/formats/zip.ts';
import { sha256 } from '../../images/sha256.ts';
import { type ChipName, chipFacts, chipNames } from '../chips/chip-facts.ts';

/** Name of the manifest in the archive. */
export const backupManifestName = 'wirebench-backup.json';
const FORMAT = 'wirebench-backup';
const VERSION = 1;

interface BackupPart {
  /** Name of the partition, or `flash` for all of the flash. */
  readonly name: string;
  /** Type and subtype of the partition; null for all of the flash. */
  readonly type: number | null;
  readonly subtype: number | null;
  readonly offset: number;
  readonly size: number;
  /** Name in the archive. */
  readonly file: string;
  /** SHA-256 of the file in lower-case hexadecimal. */
  readonly sha256: string;
}

export interface BackupManifest {
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly chip: ChipName;
  /** MAC address of the board; null if unknown. */
  readonly board: string | null;
  /** In bytes. */
  readonly flashSize: number;
  /** Partition table of the board when the backup was made, for people. Missing: it has none, or an older version made it. */
  readonly partitions?: readonly Pick<BackupPart, 'name' | 'type' | 'subtype' | 'offset' | 'size'>[];
  readonly parts: readonly BackupPart[];
}

/** A part with its checked contents. */
export interface SavedPart extends BackupPart {
  readonly bytes: Uint8Array;
}

export interface BackupSet extends BackupManifest {
  readonly parts: readonly SavedPart[];
}

/** An archive that is no intact backup set. The message is a sentence. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupError';
  }
}

/** Returns the files of an archive: the contents, then the manifest. */
export async function writeBackupSet(
  board: Omit<BackupManifest, 'parts'>,
  parts: readonly Omit<SavedPart, 'file' | 'sha256'>[],
): Promise<{ readonly name: string; readonly bytes: Uint8Array }[]> {
  const listed: BackupPart[] = [];
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const { bytes, ...part } of parts) {
    const file = `${part.name.replaceAll(/[^\w.-]+/g, '-')}-0x${part.offset.toString(16)}.bin`;
    listed.push({ ...part, file, sha256: await hashOf(bytes) });
    files.push({ name: file, bytes });
  }
  const manifest = { format: FORMAT, version: VERSION, ...board, parts: listed };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return [...files, { name: backupManifestName, bytes: new TextEncoder().encode(text) }];
}

/**
 * Reads the files of an archive, and checks sizes and hashes.
 *
 * @throws BackupError for anything else than an intact set.
 */
export async function readBackupSet(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<BackupSet> {
  const found = files.find(({ name }) => name === backupManifestName || name.endsWith(`/${backupManifestName}`));
  if (found === undefined) {
    throw new BackupError('This archive is no backup set: it has no manifest.');
  }
  const folder = found.name.slice(0, -backupManifestName.length);
  const manifest = manifestIn(givenText(found.bytes));
  const parts: SavedPart[] = [];
  for (const part of manifest.parts) {
    const bytes = files.find(({ name }) => name === archivePath(folder + part.file))?.bytes;
    if (bytes === undefined) {
      throw new BackupError(`The backup is incomplete: ${part.file} is missing.`);
    }
    if (bytes.length !== part.size || (await hashOf(bytes)) !== part.sha256) {
      throw new BackupError(`The backup is damaged: the SHA-256 of ${part.file} does not match.`);
    }
    parts.push({ ...part, bytes });
  }
  return { ...manifest, parts };
}

function manifestIn(text: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError('The manifest of the backup is damaged.');
  }
  const { format, version, created, chip, board, flashSize, parts } = fieldsOf(value);
  if (format !== FORMAT) {
    throw new BackupError('This archive is no backup set: its manifest is of another format.');
  }
  if (version !== VERSION) {
    throw new BackupError('This backup was made by a newer version. Reload the page.');
  }
  const known = chipNames.find((name) => name === chip);
  if (known === undefined || typeof flashSize !== 'number' || typeof created !== 'string' || !Array.isArray(parts)) {
    throw new BackupError('The manifest of the backup is damaged.');
  }
  return {
    created,
    chip: known,
    board: typeof board === 'string' ? board : null,
    flashSize,
    parts: parts.map(partIn),
  };
}

function partIn(value: unknown): BackupPart {
  const { name, type, subtype, offset, size, file, sha256: hash } = fieldsOf(value);
  const isSector = (number: unknown) =>
    Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) % sectorSize === 0;
  if (
    typeof name !== 'string' ||
    typeof file !== 'string' ||
    typeof hash !== 'string' ||
    !isSector(offset) ||
    !Number.isSafeInteger(size) ||
    Number(size) <= 0
  ) {
    throw new BackupError('The manifest of the backup is damaged.');
  }
  return {
    name,
    type: typeof type === 'number' ? type : null,
    subtype: typeof subtype === 'number' ? subtype : null,
    offset: Number(offset),
    size: Number(size),
    file,
    sha256: hash,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Returns the reason why a backup cannot go onto a board; null if it can. */
export function backupRefusal(
  { chip, parts }: Pick<BackupManifest, 'chip' | 'parts'>,
  board: { readonly chip: ChipName; readonly flashSize: number | null },
): string | null {
  if (chip !== board.chip) {
    return `This backup is of an ${chipFacts[chip].label}. This board has an ${chipFacts[board.chip].label}.`;
  }
  const end = Math.max(0, ...parts.map(({ offset, size }) => offset + size));
  if (board.flashSize !== null && end > board.flashSize) {
    return `This backup needs ${sizeText(end)} of flash. This board has ${sizeText(board.flashSize)}.`;
  }
  return null;
}

/** Returns true for settings and radio calibration, which belong to one board: `nvs`, its keys, and `phy_init`. */
export function isOfOneBoard({
  type,
  subtype,
}: {
  readonly type: number | null;
  readonly subtype: number | null;
}): boolean {
  return type === 1 && (subtype === 1 || subtype === 2 || subtype === 4);
}

/**
 * Returns the change that restores a part.
 *
 * @param spared Ranges that stay as they are on the board.
 */
export function restoreChange(part: SavedPart, spared: readonly FlashRange[], canErase: boolean): BoardChange {
  const range = { offset: part.offset, length: part.size };
  const change = wholeChange(part.name, range, part.bytes, canErase);
  if (spared.every((one) => overlapOf(one, range) === null)) {
    return change;
  }
  return {
    ...change,
    erases: change.erases.flatMap((one) => without(one, spared)),
    writes: change.writes.flatMap((region) => partsOutside(region, spared)),
  };
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  return Array.from(await sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
