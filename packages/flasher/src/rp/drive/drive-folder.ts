/**
 * The drive of a board in BOOTSEL as a folder that a person has chosen. The part of `FileSystemDirectoryHandle` (File System
 * Standard) that the client uses; the browser's, a mounted one of a program and a simulated one all have these types.
 */
import { errorName } from '@wirebench/port';
import type { RpChip } from '../files/index.ts';
import { RpError, rpFailureText } from '../rp-failure.ts';

export interface DriveFolder {
  readonly name: string;
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<DriveFile>;
}

export interface DriveFile {
  getFile(): Promise<Blob>;
  createWritable(): Promise<DriveWriter>;
}

export interface DriveWriter {
  write(data: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** Drives that a system has mounted. */
export interface DriveFolders {
  /** Returns the drives that are mounted now. A drive keeps its object until it is gone. */
  list(): Promise<readonly DriveFolder[]>;
  /** Resolves when a drive may have come or gone. Rejects with the reason of `signal`. */
  changed(signal: AbortSignal): Promise<void>;
}

const INFO = 'INFO_UF2.TXT';

/** Name of the board in INFO_UF2.TXT (RP2040 datasheet 2.8.4.2, RP2350 datasheet 5.5.1). */
const boardIds: Readonly<Record<string, RpChip>> = { 'RPI-RP2': 'RP2040', RP2350: 'RP2350' };

/** Facts from INFO_UF2.TXT. */
export interface DriveInfo {
  readonly chip: RpChip;
  /** `v2.0`: version of the boot ROM; null if the file does not state it. */
  readonly version: string | null;
}

/**
 * Reads which board the drive belongs to. Nothing is written.
 *
 * @throws RpError `not-the-drive` without the file, `drive-permission`, `unknown-chip` for another board.
 */
export async function readDriveInfo(folder: DriveFolder): Promise<DriveInfo> {
  let text: string;
  try {
    text = await (await (await folder.getFileHandle(INFO)).getFile()).text();
  } catch (error) {
    throw folderFailure(error, folder);
  }
  const id = /^Board-ID:\s*(\S+)/im.exec(text)?.[1] ?? '';
  const chip = boardIds[id];
  if (chip === undefined) {
    throw new RpError('unknown-chip', { detail: `INFO_UF2.TXT of "${folder.name}" names the board "${id}".` });
  }
  return { chip, version: /Bootloader\s+(v[\d.]+)/i.exec(text)?.[1] ?? null };
}

/** Returns true while the drive is there. */
export async function isDriveThere(folder: DriveFolder): Promise<boolean> {
  try {
    await (await folder.getFileHandle(INFO)).getFile();
    return true;
  } catch {
    // Systems report a drive that is gone in several ways.
    return false;
  }
}

/** Converts an error of the folder (File System Standard, `getFileHandle`, `createWritable`). */
export function folderFailure(error: unknown, { name }: DriveFolder): RpError {
  const isForbidden = ['NotAllowedError', 'SecurityError', 'NoModificationAllowedError'].includes(errorName(error));
  return isForbidden
    ? new RpError('drive-permission', { detail: `"${name}"`, cause: error })
    : new RpError('not-the-drive', {
        what: notTheDriveText(name),
        detail: `"${name}": ${errorName(error)}.`,
        cause: error,
      });
}

const notTheDriveText = (name: string) => rpFailureText['not-the-drive'].what.replace('This folder', `"${name}"`);
