/**
 * Reads along with what the ports receive, marks the lines that belong to a crash or a restart, and puts them together; keeps core dumps.
 * Works in slices and off the path of what is received; a stretch of log without a hint costs one look.
 */
import type { Clock } from '@wirebench/clock';
import {
  type Bench,
  type LineFeed,
  type LineSlice,
  lineText,
  type PortNumber,
  portNumbers,
  withoutColours,
} from '@wirebench/serial';
import { PanicRecogniser, type PanicSeverity } from '@wirebench/symbols';
import { DumpLines, type LogDump } from './dump-lines.ts';
import type { Incident } from './incident.ts';
import { IncidentBook } from './incident-book.ts';

/** How long it reads in one go before others have their turn, in milliseconds. */
const turn = 8;
/** Marked lines that are remembered; of a log that is all crashes the newest. */
const mostMarked = 10_000;
/** Core dumps of the log that are kept: the newest. */
const mostDumps = 4;

interface Reading {
  readonly port: PortNumber;
  readonly feed: LineFeed;
  readonly recogniser: PanicRecogniser;
  readonly dump: DumpLines;
}

export interface CrashWatchParts {
  readonly bench: Bench;
  readonly clock: Clock;
  /** Lines were marked. */
  readonly onMarked: () => void;
}

export class CrashWatch {
  readonly #parts: CrashWatchParts;
  readonly #readings: readonly Reading[];
  readonly #book = new IncidentBook();
  readonly #decoder = new TextDecoder();
  /** By the line's number, in the order in which they were found. */
  readonly #severities = new Map<number, PanicSeverity>();
  #dumps: readonly (LogDump & { readonly text: string })[] = [];
  #lastDump = 0;
  #running = false;
  #revision = 0;

  constructor(parts: CrashWatchParts) {
    this.#parts = parts;
    this.#readings = portNumbers.map((port) => ({
      port,
      feed: parts.bench.lineFeed(port),
      recogniser: new PanicRecogniser(),
      dump: new DumpLines(),
    }));
  }

  /** Grows with each line that is marked. */
  get revision(): number {
    return this.#revision;
  }

  /** The newest first. */
  get incidents(): readonly Incident[] {
    return this.#book.incidents;
  }

  /** Core dumps that stand whole in the log, the newest last. */
  get dumps(): readonly LogDump[] {
    return this.#dumps.map(({ id, port, at }) => ({ id, port, at }));
  }

  /** From mark to mark; null when it is not kept any more. */
  dumpText(id: number): string | null {
    return this.#dumps.find((dump) => dump.id === id)?.text ?? null;
  }

  /** What the line `sequence` of the timeline is marked as; null when it is not. */
  severityOf(sequence: number): PanicSeverity | null {
    return this.#severities.get(sequence) ?? null;
  }

  /** The log was cleared. Lines stay marked: their numbers are never used again, and they may come back. */
  clear(): void {
    this.#book.clear();
    this.#revision++;
  }

  /** That was undone. */
  restoreCleared(): void {
    this.#book.restoreCleared();
    this.#revision++;
  }

  /** It cannot be undone any more. */
  forgetCleared(): void {
    this.#book.forgetCleared();
  }

  /** Reads what has not been read yet, unless that goes on already. */
  advance(): void {
    if (!this.#running && this.#readings.some(({ feed }) => !feed.complete)) {
      this.#running = true;
      void this.#work();
    }
  }

  async #work(): Promise<void> {
    const { clock } = this.#parts;
    let turnEnds = clock.now() + turn;
    try {
      for (const reading of this.#readings) {
        for (let slice = reading.feed.read(); slice !== null; slice = reading.feed.read()) {
          this.#look(reading, slice);
          if (clock.now() >= turnEnds) {
            await clock.sleep(0);
            turnEnds = clock.now() + turn;
          }
        }
      }
    } finally {
      this.#running = false;
    }
  }

  #look({ port, recogniser, dump }: Reading, { bytes, lines }: LineSlice): void {
    const text = this.#decoder.decode(bytes);
    const before = this.#revision;
    if (dump.concerns(text)) {
      this.#lookForDump(port, dump, { bytes, lines });
    }
    if (!recogniser.skips(text)) {
      this.#mark(port, recogniser, { bytes, lines });
    }
    if (this.#revision !== before) {
      this.#parts.onMarked();
    }
  }

  #lookForDump(port: PortNumber, dump: DumpLines, { bytes, lines }: LineSlice): void {
    for (const { start, end, at } of lines) {
      const found = dump.line(this.#decoder.decode(bytes.subarray(start, end)), at);
      if (found !== null) {
        this.#revision++;
        this.#dumps = [...this.#dumps, { id: ++this.#lastDump, port, ...found }].slice(-mostDumps);
      }
    }
  }

  #mark(port: PortNumber, recogniser: PanicRecogniser, { bytes, lines }: LineSlice): void {
    for (const { start, end, sequence, at } of lines) {
      const line = bytes.subarray(start, end);
      const mark = recogniser.line(line);
      if (mark !== undefined) {
        this.#revision++;
        this.#severities.set(sequence, mark.severity);
        this.#book.add(port, mark, { sequence, at, text: withoutColours(lineText(line)) }, recogniser.chip ?? null);
      }
    }
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const sequence of this.#severities.keys()) {
      if (this.#severities.size <= mostMarked) {
        return;
      }
      this.#severities.delete(sequence);
    }
  }
}
