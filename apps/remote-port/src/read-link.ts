/** The link from standard input: its first line. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Asks for it where a person types; null when nothing comes. */
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
