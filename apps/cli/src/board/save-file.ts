/** Writes a file that is never half there under its name. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { CommandError, exitCodes } from '../exit-code.ts';

/** @throws CommandError if the file cannot be written. */
export async function saveFile(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, bytes);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new CommandError(exitCodes.failed, `the file cannot be written: ${(error as Error).message}`);
  }
}
