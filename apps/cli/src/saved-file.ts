/** Files that a command writes. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { CommandError, exitCodes } from './exit-code.ts';

/** Permissions of a file that holds secrets: for its owner alone. */
export const ownerOnly = 0o600;

/**
 * Writes a file that is never half there under its name. A file of that name is replaced.
 *
 * @param mode Permissions. Missing: the usual ones.
 * @throws CommandError
 */
export async function saveFile(
  path: string,
  bytes: Uint8Array | string | AsyncIterable<Uint8Array>,
  mode?: number,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, bytes, { ...(mode !== undefined && { mode }), flush: true });
    await rename(part, path);
  } catch (error) {
    // A part that cannot be removed is not the reason.
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof CommandError) {
      // Bytes that could not be made.
      throw error;
    }
    throw new CommandError(exitCodes.failed, `the file cannot be written: ${(error as Error).message}`);
  }
}
