/**
 * Core dumps in the lines of a port, from the mark of a dump's start to that of its end (ESP-IDF,
 * `core_dump_uart.c`). Keeps the text as it arrived; another worker parses it.
 */
import { zephyrMarks } from '../core/zephyr-text.ts';

const START = 'CORE DUMP START';
const END = 'CORE DUMP END';

/** Returns true for the first line of a dump of ESP-IDF or Zephyr. */
export const isDumpStart = (text: string) => text.includes(START) || text.includes(zephyrMarks.begin);
export const isDumpEnd = (text: string) => text.includes(END) || text.includes(zephyrMarks.end);
/**
 * Characters of a dump that are kept: as Base64, 6 MB of memory, while a board prints at most its stacks. They are a dump
 * of their own: reading it says that it ends too early. The user can read larger dumps from flash or drop them as a file.
 */
const MAX_TEXT = 8 * 1024 * 1024;

/** Dump lines of one port. */
export class DumpLines {
  #begun: { readonly at: number; readonly lines: string[]; size: number } | null = null;

  /** Returns true if these lines must be read one by one. */
  concerns(text: string): boolean {
    return this.#begun !== null || isDumpStart(text);
  }

  /** Takes the next line. Returns the dump that ends with it, else null. */
  line(text: string, at: number): { readonly at: number; readonly text: string } | null {
    if (isDumpStart(text)) {
      // A board that was reset during a dump begins the dump again.
      this.#begun = { at, lines: [], size: 0 };
    }
    const begun = this.#begun;
    if (begun === null) {
      return null;
    }
    begun.lines.push(text);
    begun.size += text.length;
    if (isDumpEnd(text) || begun.size > MAX_TEXT) {
      this.#begun = null;
      return { at: begun.at, text: begun.lines.join('\n') };
    }
    return null;
  }
}
