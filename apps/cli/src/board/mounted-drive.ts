/**
 * The drive of a board in its boot ROM as a mounted folder. A write is synced piece by piece, so that an error belongs to the
 * bytes that it concerns, and no byte waits in the cache when the board restarts.
 */
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import type { DriveFile, DriveFolder, DriveFolders, DriveWriter } from '@wirebench/flasher/family';
import { CommandError, exitCodes } from '../exit-code.ts';

/** Errors of the system by the names that File System Access has for them. */
const errorNames: Readonly<Record<string, string>> = {
  ENOENT: 'NotFoundError',
  ENODEV: 'NotFoundError',
  ENXIO: 'NotFoundError',
  EACCES: 'NotAllowedError',
  EPERM: 'NotAllowedError',
  EROFS: 'NoModificationAllowedError',
  ENOSPC: 'QuotaExceededError',
};

/** Runs a call of the file system. Its errors get the names of File System Access. */
async function named<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const name = errorNames[code] ?? 'InvalidStateError';
    throw new DOMException(message, name);
  }
}

/** File that tells the drive of a boot ROM from other folders (UF2 specification, "INFO_UF2.TXT"). */
const DRIVE_INFO = 'INFO_UF2.TXT';

/**
 * Returns the drive at a path; null for a path that is no folder.
 *
 * @throws CommandError for a folder that is no drive of a board.
 */
export async function driveAt(path: string): Promise<DriveFolder | null> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    return null;
  }
  const hasInfo = await stat(join(path, DRIVE_INFO)).then(
    () => true,
    () => false,
  );
  if (!hasInfo) {
    throw new CommandError(
      exitCodes.noPort,
      `"${basename(path) || path}" is not the drive of a board in BOOTSEL: the folder has no ${DRIVE_INFO}. Name a port, or such a drive.`,
    );
  }
  return new MountedDrive(path);
}

class MountedDrive implements DriveFolder {
  readonly name: string;
  readonly #path: string;

  constructor(path: string) {
    this.name = basename(path) || path;
    this.#path = path;
  }

  async getFileHandle(name: string, { create = false }: { readonly create?: boolean } = {}): Promise<DriveFile> {
    const path = join(this.#path, name);
    await named(async () => {
      const found = await stat(path, { bigint: true }).catch((error: unknown) => {
        if (!create) {
          throw error;
        }
        return stat(this.#path, { bigint: true });
      });
      await checkDevice(found.dev);
    });
    return {
      getFile: () => named(async () => new Blob([await readFile(path)])),
      createWritable: () => named(async () => new SyncedWriter(await open(path, 'w'))),
    };
  }
}

/**
 * Rejects if the block device of a file is gone: a mount stays for a while after its drive, and its cache still has the
 * files. Numbers without a block device, and systems without /sys, are passed.
 */
async function checkDevice(dev: bigint): Promise<void> {
  // The encoding of `dev_t` by glibc (`sys/sysmacros.h`).
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  if (process.platform === 'linux' && major !== 0n) {
    await stat(`/sys/dev/block/${major}:${minor}`);
  }
}

class SyncedWriter implements DriveWriter {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  write(data: Uint8Array<ArrayBuffer>): Promise<void> {
    return named(async () => {
      let at = 0;
      while (at < data.length) {
        at += (await this.#file.write(data, at)).bytesWritten;
      }
      await this.#file.datasync();
    });
  }

  close(): Promise<void> {
    return named(() => this.#file.close());
  }
}

/** Pause between two looks for a drive that is about to be mounted, in milliseconds. */
const LOOK = 250;

/** Returns the drives that this system mounts. A drive keeps its object while it is mounted. */
export function mountedDrives(mountPoints: () => Promise<readonly string[]> = systemMountPoints): DriveFolders {
  let known = new Map<string, MountedDrive>();
  return {
    list: async () => {
      const paths = await mountPoints();
      known = new Map(paths.map((path) => [path, known.get(path) ?? new MountedDrive(path)]));
      return [...known.values()];
    },
    changed: (signal) => systemClock.sleep(LOOK, signal),
  };
}

/** Returns the folders at which drives may be mounted. */
async function systemMountPoints(): Promise<readonly string[]> {
  switch (process.platform) {
    case 'linux':
      return fatMounts(await readFile('/proc/self/mounts', 'utf8').catch(() => ''));
    case 'darwin':
      return (await readdir('/Volumes').catch(() => [])).map((name) => join('/Volumes', name));
    case 'win32':
      return [...'DEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`);
    default:
      return [];
  }
}

/** Returns the mount points of FAT volumes in a list of mounts, whose spaces are written in octal (`man 5 fstab`). */
export const fatMounts = (list: string): readonly string[] =>
  list
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , kind]) => kind === 'vfat' || kind === 'msdos')
    .map(([, path = '']) =>
      path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
    );
