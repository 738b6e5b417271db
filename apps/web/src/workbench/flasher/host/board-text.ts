/** What a board prints, byte by byte as it comes → whole lines of text. Knows bytes only. */
import { lineText, withoutColours } from '@wirebench/serial';

const lineFeed = 0x0a;

/** A board that prints without ever ending its line is shown in pieces of this many bytes. */
const longestLine = 512;

export class BoardText {
  #rest: number[] = [];

  /** The lines that `bytes` complete, as a terminal shows them: the last text behind a return counts. Without colours; empty ones are left out. */
  take(bytes: Uint8Array): string[] {
    const lines: string[] = [];
    for (const byte of bytes) {
      if (byte === lineFeed || this.#rest.length >= longestLine) {
        lines.push(...this.end());
      }
      if (byte !== lineFeed) {
        this.#rest.push(byte);
      }
    }
    return lines;
  }

  /** What is there without an ending. */
  end(): string[] {
    const text = withoutColours(lineText(Uint8Array.from(this.#rest)));
    this.#rest = [];
    return text.trim() === '' ? [] : [text];
  }
}
