/**
 * Core dumps in the lines of a port: everything from the mark of a dump's start to that of its end (ESP-IDF, `core_dump_uart.c`). Keeps the text as it
 * arrived; what it means is for the thread that reads core dumps.
 */
import type { PortNumber } from '@wirebench/serial';
import { zephyrMarks } from '@wirebench/symbols';

/** A core dump that stands whole in the log. */
export interface LogDump {
  /** Never used twice; newer ones have higher ones. */
  readonly id: number;
  readonly port: PortNumber;
  /** Start of the dump, in milliseconds since the Unix epoch. */
  readonly at: number;
}

const START = 'CORE DUMP START';
const END = 'CORE DUMP END';

/** Returns true for the first line of a dump of ESP-IDF or Zephyr. */
export const isDumpStart = (text: string) => text.includes(START) || text.includes(zephyrMarks.begin);
export const isDumpEnd = (text: string) => text.includes(END) || text.includes(zephyrMarks.end);
/** Characters of a dump that is kept: as Base64, that is 6 MB of memory. What is longer is read from flash or dropped as a file. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Dump lines of one port. */
export class DumpLines {
  #begun: { readonly at: number; readonly lines: string[]; size: number } | null = null;

  /** Returns true if these lines must be read one by one. */
  concerns(text: string): boolean {
    return this.#begun !== null || isDumpStart(text);
  }

  /** Takes the next line; gives the dump that ends with it. */
  line(text: string, at: number): { readonly at: number; readonly text: string } | null {
    if (isDumpStart(text)) {
      // A board that was reset in the middle of a dump begins again.
      this.#begun = { at, lines: [], size: 0 };
    }
    const begun = this.#begun;
    if (begun === null) {
      return null;
    }
    begun.lines.push(text);
    begun.size += text.length;
    if (isDumpEnd(text)) {
      this.#begun = null;
      return { at: begun.at, text: begun.lines.join('\n') };
    }
    if (begun.size > MAX_TEXT) {
      this.#begun = null;
    }
    return null;
  }
}
