/** The standard input and output of a program as a link. */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ByteLink } from '../byte-link.ts';

interface ProgramLinkOptions {
  /** Changes the bytes on their way to the program. Default: none. */
  readonly toProgram?: (bytes: Uint8Array) => Uint8Array;
  /** Changes the bytes on their way from the program. Default: none. */
  readonly fromProgram?: (bytes: Uint8Array) => Uint8Array;
}

const same = (bytes: Uint8Array) => bytes;

export function programLink(
  { stdin, stdout }: ChildProcessByStdio<Writable, Readable, Readable | null>,
  { toProgram = same, fromProgram = same }: ProgramLinkOptions = {},
): ByteLink {
  const chunks: Uint8Array[] = [];
  let wake: (() => void) | null = null;
  stdout.on('data', (chunk: Uint8Array) => {
    chunks.push(fromProgram(chunk));
    wake?.();
  });
  // A program that has ended takes no more bytes; the test looks at its status.
  stdin.on('error', () => undefined);
  return {
    read: async (signal) => {
      while (chunks.length === 0) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      return chunks.shift() ?? new Uint8Array();
    },
    write: (bytes) =>
      new Promise((resolve) => {
        stdin.write(toProgram(bytes), () => resolve());
      }),
  };
}
