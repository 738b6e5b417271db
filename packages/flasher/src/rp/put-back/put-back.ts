/**
 * Plans the fate of files that a write would take: they are put into a new file system where the new program keeps
 * its files, or stay in an archive for a person. Uses bytes and facts only.
 *
 * MicroPython mounts LittleFS only if it has as many blocks as the program states, and formats the area otherwise
 * (`ports/rp2/modules/_boot.py`). CircuitPython mounts a FAT volume that begins where its drive begins, and formats the
 * drive if there is none (`supervisor/shared/filesystem.c`).
 */
import { joined } from '@wirebench/port/bytes';
import { addressText, sizeText } from '../../core/bytes.ts';
import { type FindingDetail, quoted } from '../../core/findings.ts';
import type { PlannedRegion } from '../../core/flash-plan.ts';
import { overlapOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { FileSystemError } from '../../file-systems/file-system-error.ts';
import { flashStart, type RpChip, type RpFlashUser, settingsRange } from '../files/index.ts';
import type { PutBackWarning } from '../plan/rp-plan-finding.ts';
import { archiveName, emptyLike, openOrNull, type SavedFiles } from './saved-files.ts';

/** Result of planning: regions to write beside those of the files, and what to say about them. */
export interface PutBack {
  /** In the order of addresses. Null: nothing is put back. */
  readonly region: PlannedRegion | null;
  /** File systems about which `findings` say everything. */
  readonly users: readonly RpFlashUser[];
  readonly findings: readonly { readonly code: PutBackWarning; readonly detail: FindingDetail }[];
  /** Saved files of which some are not on the board after the write. */
  readonly lost: readonly SavedFiles[];
}

export interface WrittenFlash {
  /** Whole sectors that the files are written to. Addresses. */
  readonly sectors: readonly FlashRange[];
  /** File system that the new program states; null if it states none, or a place in its partition. */
  readonly storage: RpFlashUser | null;
  /** True: the new program keeps files at a place that counts from the start of its partition. */
  readonly isInPartition: boolean;
  /** In bytes. */
  readonly flashSize: number;
  readonly eraseAll: boolean;
}

export const rangeOfUser = ({ offset, size }: RpFlashUser): FlashRange => ({
  offset: flashStart + offset,
  length: size,
});

/** Returns the file systems that the write destroys, or that the new program formats or does not find. */
export function displacedBy(
  { sectors, storage, eraseAll }: Pick<WrittenFlash, 'sectors' | 'storage' | 'eraseAll'>,
  users: readonly RpFlashUser[],
): RpFlashUser[] {
  return users.filter(
    (user) =>
      eraseAll ||
      sectors.some((sector) => overlapOf(sector, rangeOfUser(user)) !== null) ||
      (storage !== null && !isFoundBy(user, storage)),
  );
}

/** Returns true if a program with this storage mounts the file system. */
function isFoundBy(user: RpFlashUser, storage: RpFlashUser): boolean {
  const fits = user.kind === 'fat' ? user.size <= storage.size : user.size === storage.size;
  return user.offset === storage.offset && fits && (storage.system === undefined || belongs(user, storage));
}

/** Returns true if the file system is in the place where the new program keeps its files, and fills it. */
export const isPlaceOf = (user: RpFlashUser, storage: RpFlashUser | null): boolean =>
  storage !== null && isFoundBy(user, storage);

/** Returns true if the new program reads this kind of file system. MicroPython reads LittleFS, and FAT on some boards. */
function belongs({ kind, system }: RpFlashUser, storage: RpFlashUser): boolean {
  if (system !== undefined) {
    return system === storage.system;
  }
  return storage.system !== undefined && (kind === 'fat' || storage.system === 'micropython');
}

export interface PutBackInput {
  readonly written: WrittenFlash;
  readonly chip: RpChip;
  /** Files that an interrupted write has left first, then those of the file systems that this write displaces. */
  readonly saved: readonly SavedFiles[];
  /** File system that the board has where the new program keeps its files; null without one. */
  readonly present: SavedFiles | null;
}

export function planPutBack({ written, chip, saved, present }: PutBackInput): PutBack {
  const findings: { code: PutBackWarning; detail: FindingDetail }[] = [];
  const lost: SavedFiles[] = [];
  let region: PlannedRegion | null = null;
  for (const one of saved) {
    const { user } = one;
    const detail = { found: `${user.name}, ${sizeText(user.size)}`, at: addressText(flashStart + user.offset) };
    const archive = archiveName(one, chip);
    const own = settingsRange(user);
    const leaveSettings = () => {
      if (one.settings !== null && own !== null) {
        lost.push(one);
        findings.push({ code: 'settings-lost', detail: { at: addressText(own.offset), files: [archive] } });
      }
    };
    const leave = (why: string) => {
      lost.push(one);
      findings.push({ code: 'files-not-put-back', detail: { ...detail, lost: why, files: [archive] } });
      leaveSettings();
    };
    const why = region === null ? obstacleTo(one, written) : 'other files are put back there';
    const { storage } = written;
    if (why !== null || storage === null) {
      leave(why ?? '');
      continue;
    }
    const made = makeImage(one, storage, present);
    if (made === null) {
      leave(`the new program has only ${sizeText(storage.size)} for files`);
      continue;
    }
    const { image, left } = made;
    const target = settingsRange(storage);
    const isFree = target !== null && !written.sectors.some((sector) => overlapOf(sector, target) !== null);
    const settings = isFree ? one.settings : null;
    region = {
      file: user.name,
      offset: flashStart + storage.offset - (settings?.length ?? 0),
      bytes: settings === null ? image : joined(settings, image),
    };
    const wanted = addressText(flashStart + storage.offset);
    const put = `${filesText(one.files, left)}${settings === null ? '' : ', and the settings (nvm) before them'}`;
    findings.push({ code: 'puts-files-back', detail: { ...detail, wanted, lost: put } });
    if (settings === null) {
      leaveSettings();
    }
    if (storage.size < user.size) {
      findings.push({ code: 'less-room', detail: { found: sizeText(user.size), wanted: sizeText(storage.size) } });
    }
    const missing = [...left, ...one.damaged];
    if (missing.length > 0) {
      lost.push(one);
      findings.push({ code: 'files-left-out', detail: { lost: namesText(missing), files: [archive] } });
    }
  }
  return { region, users: saved.map(({ user }) => user), findings, lost };
}

/** Returns why the files cannot be put back, without full stop; null if they can. */
function obstacleTo({ user, kind }: SavedFiles, written: WrittenFlash) {
  const { eraseAll, storage, isInPartition, sectors, flashSize } = written;
  if (eraseAll) {
    return 'everything is erased';
  }
  if (kind === null) {
    return 'they cannot be read as files';
  }
  if (storage === null) {
    return isInPartition
      ? 'where the new program keeps files within its partition is not known'
      : 'the new program does not say where it keeps files';
  }
  if (!belongs({ ...user, kind }, storage)) {
    return 'the new program keeps another kind of files';
  }
  if (storage.offset + storage.size > flashSize || storage.offset % sectorSize !== 0) {
    return `the new program keeps its files behind the end of this flash of ${sizeText(flashSize)}`;
  }
  const isTaken = sectors.some((sector) => overlapOf(sector, rangeOfUser(storage)) !== null);
  return isTaken ? 'the new firmware brings its own files' : null;
}

interface MadeImage {
  readonly image: Uint8Array;
  /** Paths of files for which there was no room. */
  readonly left: readonly string[];
}

/** Returns the flash of the new file system; null if none of this size can be made. */
function makeImage(saved: SavedFiles, storage: RpFlashUser, present: SavedFiles | null): MadeImage | null {
  const isWhole = saved.damaged.length === 0;
  if (present === null && isWhole && saved.image.length === storage.size) {
    return { image: saved.image, left: [] };
  }
  const base = present === null ? null : openOrNull(present.image);
  try {
    // Files that the new program has made since the interrupted write stay. What cannot be changed is made again.
    const empty = () => openOrNull(emptyLike(saved, storage.size));
    const fileSystem = base === null || base.isReadOnly || base.kind !== saved.kind ? empty() : base;
    if (fileSystem === null) {
      return null;
    }
    const left = putFiles(fileSystem, saved);
    return { image: usedPart(fileSystem.image), left };
  } catch (error) {
    if (error instanceof FileSystemError) {
      return null;
    }
    throw error;
  }
}

/** Adds folders and files, those of the root folder first: programs start there. Returns the paths that did not fit. */
function putFiles(fileSystem: NonNullable<ReturnType<typeof openOrNull>>, { files, folders }: SavedFiles): string[] {
  const left: string[] = [];
  const attempt = (path: string, work: () => void, isFile: boolean) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof FileSystemError)) {
        throw error;
      }
      if (isFile) {
        left.push(path);
      }
    }
  };
  const depth = (path: string) => path.split('/').length;
  for (const { path, bytes } of files.toSorted((one, other) => depth(one.path) - depth(other.path))) {
    attempt(path, () => fileSystem.write(path, bytes), true);
  }
  const present = new Set(fileSystem.list().map(({ path }) => path));
  for (const path of folders.filter((one) => !present.has(one))) {
    attempt(path, () => fileSystem.makeDirectory(path), false);
  }
  return left;
}

/**
 * Returns the image up to its last block with contents and the block after it, which may be the other half of its pair:
 * flash behind it is never read before it is written.
 */
function usedPart(image: Uint8Array): Uint8Array {
  const last = image.findLastIndex((byte) => byte !== 0xff);
  return image.subarray(0, Math.min(image.length, (Math.floor(last / sectorSize) + 2) * sectorSize));
}

const MAX_NAMES = 3;

function namesText(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMES;
  const shown = more > 0 ? paths.slice(0, MAX_NAMES) : paths;
  return more > 0 ? `${shown.map((path) => `"${path}"`).join(', ')} and ${more} more` : quoted(shown);
}

function filesText(files: SavedFiles['files'], left: readonly string[]): string {
  const put = files.filter(({ path }) => !left.includes(path));
  const bytes = put.reduce((sum, file) => sum + file.bytes.length, 0);
  return `${put.length === 1 ? '1 file' : `${put.length} files`}, ${sizeText(bytes)}`;
}
