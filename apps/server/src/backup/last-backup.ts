/** A note in the data folder about its newest backup, for the operators' page of the server's state. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../storage/blobs/disk.ts';

export interface LastBackup {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly files: number;
  readonly bytes: number;
}

const FILE = 'last-backup.json';

/** Notes a backup. Does nothing if the folder may only be read: the backup itself is complete. */
export async function noteBackup(folder: string, backup: LastBackup): Promise<void> {
  try {
    await writeFile(join(folder, FILE), JSON.stringify(backup), { mode: 0o600 });
  } catch (error) {
    if (systemErrorCode(error) === null) {
      throw error;
    }
  }
}

/** Returns null if no backup was noted. */
export async function lastBackup(folder: string): Promise<LastBackup | null> {
  try {
    const { at, files, bytes } = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as LastBackup;
    return { at: new Date(at).toISOString(), files: Number(files), bytes: Number(bytes) };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}
