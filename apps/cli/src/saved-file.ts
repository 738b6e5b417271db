/** Files that a command writes. */
import { link, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { OptionValues } from './commands/command.ts';
import { CommandError, exitCodes } from './exit-code.ts';

/** Permissions of a file that holds secrets: for its owner alone. */
export const ownerOnly = 0o600;

/** True: `--force` is given, so that a file of the name is replaced. */
export const isForced = ({ force }: OptionValues): boolean => force === true;

export interface SaveOptions {
  /** Permissions. Missing: the usual ones. */
  readonly mode?: number | undefined;
  /** True: a file of that name is replaced. */
  readonly replaces?: boolean;
}

/**
 * Refuses a name that is taken. Commands call it before they begin, so that long work is not for nothing.
 *
 * @param replaces True: a file of that name is replaced.
 * @throws CommandError if it is there, or is a folder.
 */
export async function refuseExisting(path: string, replaces = false): Promise<void> {
  refuseOutput(path);
  const facts = await lstat(path).catch(() => null);
  if (facts?.isDirectory() === true) {
    throw new CommandError(exitCodes.usage, `${path} is a folder: name a file.`);
  }
  if (facts !== null && !replaces) {
    throw taken(path);
  }
}

/** @throws CommandError for `-` where it does not stand for standard output. */
export function refuseOutput(path: string): void {
  if (path === '-') {
    throw new CommandError(exitCodes.usage, 'here - does not stand for standard output: name a file.');
  }
}

const taken = (path: string, cause?: unknown) =>
  new CommandError(exitCodes.usage, `${path} is there already. Give another name, or replace it with --force.`, {
    cause,
  });

/**
 * Writes a file that is never half there under its name.
 *
 * @throws CommandError if it is there already, or cannot be written.
 */
export async function saveFile(
  path: string,
  bytes: Uint8Array | string | AsyncIterable<Uint8Array>,
  { mode, replaces = false }: SaveOptions = {},
): Promise<void> {
  await refuseExisting(path, replaces);
  const part = `${path}.part`;
  const options = { ...(mode !== undefined && { mode }), flush: true };
  try {
    if (await isDevice(path)) {
      await writeFile(path, bytes);
      return;
    }
    await writeFile(part, bytes, options);
    await (replaces ? rename(part, path) : appear(part, path));
  } catch (error) {
    // A part that cannot be removed is not the reason.
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof CommandError) {
      // Bytes that could not be made, or a file that came during the write.
      throw error;
    }
    throw new CommandError(exitCodes.failed, `the file cannot be written: ${(error as Error).message}`);
  }
}

/** Returns true for a pipe or a device, such as /dev/stdout, which cannot be replaced. */
const isDevice = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => !facts.isFile(),
    () => false,
  );

/** Gives a finished file its name, and replaces none that came during the write. */
async function appear(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw taken(path, error);
    }
    // The file system has no links.
    await refuseExisting(path);
    await rename(part, path);
    return;
  }
  await rm(part, { force: true });
}
