/** Files of this computer for a board, and paths on it as command lines name them. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSystemFile } from '@wirebench/flasher/file-systems';
import { CommandError, exitCodes } from '../exit-code.ts';
import { printable } from '../printable.ts';

/** Most files that a folder of this computer is read with, and their bytes together: more than any board holds. */
const MAX_LOCAL = { files: 5_000, bytes: 256 * 1_048_576 };

/** Returns an absolute path without a slash at its end. @throws CommandError for a path with `..`. */
export function boardPath(text: string): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) {
    throw new CommandError(exitCodes.usage, `${printable(text)} has "..": name the path on the board from its root.`);
  }
  return `/${names.join('/')}`;
}

/** Files and folders of this computer with their places on the board. */
export interface LocalFiles {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly folders: readonly string[];
  /** Names of files that are not copied: of the operating system, and links. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a file, or a folder with everything in it.
 *
 * @param local A slash at its end: its contents without the folder itself.
 * @param to Path on the board. A slash at its end: the folder that gets the file or folder under its own name.
 */
export async function localFiles(local: string, to: string): Promise<LocalFiles> {
  const found = await lstat(local.replace(/(?<=.)\/+$/, '')).catch((error: Error) => {
    throw new CommandError(exitCodes.usage, `the file cannot be read: ${error.message}`);
  });
  const isContents = local.endsWith('/') || basename(local) === '.';
  const target =
    to.endsWith('/') && !(found.isDirectory() && isContents) ? boardPath(`${to}${basename(local)}`) : boardPath(to);
  if (!found.isDirectory()) {
    const bytes = await readLocal(local);
    return { files: [{ path: target, bytes }], folders: [], leftOut: [] };
  }
  const files: { path: string; bytes: Uint8Array<ArrayBuffer> }[] = [];
  const folders: string[] = target === '/' ? [] : [target];
  const leftOut: string[] = [];
  let total = 0;
  const visit = async (folder: string, at: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = `${at === '/' ? '' : at}/${entry.name}`;
      const place = join(folder, entry.name);
      if (isSystemFile(entry.name) || !(entry.isFile() || entry.isDirectory())) {
        leftOut.push(place);
      } else if (entry.isDirectory()) {
        folders.push(path);
        await visit(place, path);
      } else {
        const bytes = await readLocal(place);
        total += bytes.length;
        files.push({ path, bytes });
      }
      if (files.length > MAX_LOCAL.files || total > MAX_LOCAL.bytes) {
        throw new CommandError(exitCodes.usage, `${printable(local)} has more files than a board holds.`);
      }
    }
  };
  await visit(local, target);
  return { files, folders, leftOut };
}

async function readLocal(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new CommandError(exitCodes.usage, `the file cannot be read: ${error.message}`);
  });
  return new Uint8Array(bytes);
}
