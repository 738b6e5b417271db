/** Bytes that an argument names: a file, or standard input. */
import { readFile } from 'node:fs/promises';
import { CommandError, exitCodes } from './exit-code.ts';

/** @throws CommandError for a file that cannot be read. */
export async function readGiven(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const read = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') {
      throw new CommandError(exitCodes.usage, `${path} is a folder: name a file in it.`);
    }
    throw new CommandError(exitCodes.usage, `the file cannot be read: ${error.message}`);
  });
  return new Uint8Array(read);
}

/** Reads standard input to its end. */
export async function readStandardInput(): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) {
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
