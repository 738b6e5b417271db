/**
 * Finds the lines of core dumps in a port's log, so that a console can show each dump as one row. Follows the lines
 * as they arrive. A dump that stops in the middle is unfinished, and later lines do not belong to it.
 */
import type { LineFold } from '@wirebench/serial';
import { base64Size, dumpMarks, isDumpEnd, isDumpStart, LinePrefix, zephyrLineSize } from '@wirebench/symbols';

/** Row of a console in place of a dump's lines. */
export interface DumpStrip {
  /** Start of the dump, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Sequence numbers of its first line and of its last one so far. */
  readonly from: number;
  readonly to: number;
  readonly state: 'receiving' | 'whole' | 'unfinished';
  /** Number of lines between its marks. */
  readonly lines: number;
  /** Bytes that these lines encode. */
  readonly bytes: number;
  /** True: its lines are shown one by one. */
  readonly shown: boolean;
}

type OpenStrip = { -readonly [Key in keyof DumpStrip]: DumpStrip[Key] };

/** Maximum number of folded dumps. For a board that crashes all day, the lines of older dumps are shown again. */
const maxDumps = 1_000;
/** Bytes of a word of memory, and maximum length of a word that may be valid Base64 by chance. */
const [WORD, LONGEST_WORD] = [4, 16];

/** Folds of one port. */
export class DumpFolds {
  #strips: OpenStrip[] = [];
  /** The newest dump, while further lines may belong to it. */
  #open: OpenStrip | null = null;
  /** True: the previous line did not belong to the open dump. */
  #strayed = false;
  /** Length of the open dump's longest line, in characters. */
  #width = 0;
  readonly #prefix = new LinePrefix(dumpMarks);

  /** Returns true if these lines must be read one by one. */
  concerns(text: string): boolean {
    return this.#open !== null || isDumpStart(text);
  }

  /** Takes the next line, without its ending. */
  line(text: string, sequence: number, at: number): void {
    if (this.#open === null && !isDumpStart(text)) {
      return;
    }
    const line = this.#prefix.strip(text);
    if (isDumpStart(line)) {
      this.stop();
      this.#begin(sequence, at);
      return;
    }
    const open = this.#open;
    if (open === null) {
      return;
    }
    const ends = isDumpEnd(line);
    const size = ends ? 0 : this.#sizeOf(line, open);
    if (size !== null) {
      open.state = ends ? 'whole' : 'receiving';
      open.to = sequence;
      open.lines += ends ? 0 : 1;
      open.bytes += size;
      this.#width = Math.max(this.#width, line.length);
      this.#strayed = false;
    } else {
      // A single line may be noise or come from the other core. A second one means that the dump has stopped.
      open.state = 'unfinished';
    }
    if (ends || (open.state === 'unfinished' && this.#strayed)) {
      this.#open = null;
    }
    this.#strayed = open.state === 'unfinished';
  }

  /**
   * Returns the number of bytes that a line of `open` encodes; null for a line outside of it. Lines are full, or
   * encode whole words of memory, 4 bytes each (ESP-IDF, `core_dump_uart.c`, encodes 48 bytes a line). After a stop,
   * a line that may be an ordinary word does not continue the dump.
   */
  #sizeOf(line: string, open: OpenStrip): number | null {
    const zephyrSize = zephyrLineSize(line);
    if (zephyrSize !== null) {
      return zephyrSize;
    }
    const size = base64Size(line);
    const mayBeWord = line.length < LONGEST_WORD && !line.endsWith('=');
    const isShort = size !== null && size % WORD === 0 && (open.state === 'receiving' || !mayBeWord);
    return isShort || line.length >= this.#width ? size : null;
  }

  /**
   * Marks an open dump as unfinished after a silence. Its next line still continues it. Returns false if no dump was
   * being received.
   */
  stop(): boolean {
    if (this.#open?.state !== 'receiving') {
      return false;
    }
    this.#open.state = 'unfinished';
    return true;
  }

  /** Dumps that are shown as one row each. */
  get folded(): readonly DumpStrip[] {
    return this.#strips.filter(({ shown, lines }) => !shown && lines > 0).map((strip) => ({ ...strip }));
  }

  /** Returns the lines that are folded into one row each; undefined without any. */
  get folds(): readonly LineFold[] | undefined {
    const { folded } = this;
    return folded.length === 0
      ? undefined
      : folded.map(({ from, to, state }) => ({
          from,
          end: state === 'receiving' ? Number.POSITIVE_INFINITY : to + 1,
        }));
  }

  /** Returns the dump that contains a line; null without one. */
  stripAt(sequence: number): DumpStrip | null {
    const strip = this.#find(sequence);
    return strip === undefined ? null : { ...strip };
  }

  /** Unfolds or folds the dump that contains a line. Returns false if nothing changes. */
  show(sequence: number, shown: boolean): boolean {
    const strip = this.#find(sequence);
    if (strip === undefined || strip.shown === shown) {
      return false;
    }
    strip.shown = shown;
    return true;
  }

  #find(sequence: number): OpenStrip | undefined {
    return this.#strips.find(
      ({ from, to, state, lines }) =>
        lines > 0 && sequence >= from && (sequence <= to || (state === 'receiving' && from === this.#open?.from)),
    );
  }

  #begin(sequence: number, at: number): void {
    this.#open = { at, from: sequence, to: sequence, state: 'receiving', lines: 0, bytes: 0, shown: false };
    this.#strips = [...this.#strips, this.#open].slice(-maxDumps);
    this.#strayed = false;
    this.#width = 0;
  }
}
