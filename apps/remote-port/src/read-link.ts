import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Reads the link from the first line of standard input that is not blank. Prints a prompt if the input is a terminal.
 *
 * @returns The line as read, or null if the input ends without one.
 */
export async function readLink(
  input: Readable & { readonly isTTY?: boolean },
  ask: (text: string) => void,
): Promise<string | null> {
  if (input.isTTY) {
    ask('Link of the shared bench: ');
  }
  const lines = createInterface({ input });
  try {
    for await (const line of lines) {
      if (line.trim() !== '') {
        return line;
      }
    }
    return null;
  } finally {
    lines.close();
    input.destroy();
  }
}
