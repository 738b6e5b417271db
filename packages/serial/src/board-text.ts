/** Splits the bytes that a board prints into lines of text. */
import { DrawnBytes } from './drawn-bytes.ts';
import { lineText, withoutColours } from './line-text.ts';

const lineFeed = 0x0a;

/** Longest line in drawn bytes. A longer line is shown in pieces of this length. */
const longestLine = 512;

export class BoardText {
  #rest: number[] = [];
  #drawn = new DrawnBytes();

  /**
   * Returns the lines that `bytes` complete, as a terminal shows them: text after a carriage return replaces the text
   * before it. Colour codes are removed. Blank lines are left out.
   */
  take(bytes: Uint8Array): string[] {
    const lines: string[] = [];
    for (const byte of this.#drawn.take(bytes)) {
      if (byte === lineFeed || this.#rest.length >= longestLine) {
        lines.push(...this.end());
      }
      if (byte !== lineFeed) {
        this.#rest.push(byte);
      }
    }
    return lines;
  }

  /** Returns the line that has no ending yet, and clears it. Empty if it is blank. */
  end(): string[] {
    const text = withoutColours(lineText(Uint8Array.from(this.#rest)));
    this.#rest = [];
    return text.trim() === '' ? [] : [text];
  }
}
