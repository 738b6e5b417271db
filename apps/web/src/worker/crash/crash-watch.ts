/**
 * Reads along with what the ports receive, marks the lines that belong to a crash or a restart, and puts them together; keeps core dumps.
 * Works in slices and off the path of what is received; a stretch of log without a hint costs one look.
 */
import type { Clock } from '@wirebench/clock';
import {
  type Bench,
  type ChannelFolds,
  type LineFeed,
  type LineSlice,
  lineText,
  type PortNumber,
  portNumbers,
  withoutColours,
} from '@wirebench/serial';
import { PanicRecogniser, type PanicSeverity } from '@wirebench/symbols';
import type { CodeRange, Incident } from '../../protocol/incident.ts';
import { DumpFolds, type DumpStrip } from '../../protocol/rows/dump-folds.ts';
import { DumpLines, type LogDump } from '../../protocol/rows/dump-lines.ts';
import { AddressLines } from './address-lines.ts';
import { IncidentBook } from './incident-book.ts';

/** Longest run before other work has its turn, in milliseconds. */
const turn = 8;
/** Marked lines that are remembered; of a log that is all crashes the newest. */
const maxMarked = 10_000;
/** After so many milliseconds without a line, a core dump is not said to be coming any more. */
const longestSilence = 5_000;
/** Core dumps of the log that are kept: the newest. */
const maxDumps = 4;

interface Reading {
  readonly port: PortNumber;
  readonly feed: LineFeed;
  readonly recogniser: PanicRecogniser;
  readonly dump: DumpLines;
  readonly folds: DumpFolds;
  readonly addresses: AddressLines;
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
  #incidentRevision = 0;
  #lookRevision = 0;
  /** Stops waiting for the next line of a core dump. */
  #endSilence: (() => void) | null = null;

  constructor(parts: CrashWatchParts) {
    this.#parts = parts;
    this.#readings = portNumbers.map((port) => ({
      port,
      feed: parts.bench.lineFeed(port),
      recogniser: new PanicRecogniser(),
      dump: new DumpLines(),
      folds: new DumpFolds(),
      addresses: new AddressLines(parts.bench, port),
    }));
  }

  /** Grows when there are other incidents or core dumps. */
  get incidentRevision(): number {
    return this.#incidentRevision;
  }

  /** Grows when lines look different: marked, or part of a core dump's row. */
  get lookRevision(): number {
    return this.#lookRevision;
  }

  /** The newest first, behind them the lines of each port that have addresses of code. */
  get incidents(): readonly Incident[] {
    return [...this.#book.incidents, ...this.#readings.flatMap(({ addresses }) => addresses.incident ?? [])];
  }

  /** Takes where the open ELF files have code, so that lines with such addresses are found. */
  setCodeRanges(ranges: readonly CodeRange[]): void {
    for (const { addresses } of this.#readings) {
      addresses.setRanges(ranges);
    }
    this.#incidentRevision++;
    this.advance();
  }

  /** Core dumps that stand whole in the log, the newest last. */
  get dumps(): readonly LogDump[] {
    return this.#dumps.map(({ id, port, at }) => ({ id, port, at }));
  }

  /** From mark to mark; null when it is not kept any more. */
  dumpText(id: number): string | null {
    return this.#dumps.find((dump) => dump.id === id)?.text ?? null;
  }

  /** Returns the mark of the line `sequence` of the timeline; null without one. */
  severityOf(sequence: number): PanicSeverity | null {
    return this.#severities.get(sequence) ?? null;
  }

  /** Core dumps that are folded into one row each; undefined without any. */
  get folds(): ChannelFolds | undefined {
    const entries = this.#readings.flatMap(({ port, folds: { folds } }) =>
      folds === undefined ? [] : [[`received-${port}`, folds] as const],
    );
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  /** The core dump in the log of `port` that a line belongs to; null when it belongs to none. */
  stripAt(port: PortNumber, sequence: number): DumpStrip | null {
    return this.#readings.find((reading) => reading.port === port)?.folds.stripAt(sequence) ?? null;
  }

  /** The core dumps in the log whose lines are one row each. */
  get foldedDumps(): readonly { readonly port: PortNumber; readonly strip: DumpStrip }[] {
    return this.#readings.flatMap(({ port, folds }) => folds.folded.map((strip) => ({ port, strip })));
  }

  /** Shows the lines of the core dump that a line of `port` belongs to one by one, or as one row. */
  showDumpLines(port: PortNumber, sequence: number, shown: boolean): void {
    const folds = this.#readings.find((reading) => reading.port === port)?.folds;
    if (folds?.show(sequence, shown)) {
      this.#lookRevision++;
      this.#parts.onMarked();
    }
  }

  /** The log was cleared. Lines stay marked: their numbers are never used again, and they may come back. */
  clear(): void {
    this.#book.clear();
    for (const { addresses } of this.#readings) {
      addresses.clear();
    }
    this.#incidentRevision++;
  }

  /** Restores the cleared lines. */
  restoreCleared(): void {
    this.#book.restoreCleared();
    for (const { addresses } of this.#readings) {
      addresses.restoreCleared();
    }
    this.#incidentRevision++;
  }

  /** It cannot be undone any more. */
  forgetCleared(): void {
    this.#book.forgetCleared();
  }

  /** Reads what has not been read yet, unless that goes on already. */
  advance(): void {
    if (!this.#running && this.#readings.some(({ feed, addresses }) => !feed.complete || !addresses.isComplete)) {
      this.#running = true;
      void this.#work();
    }
  }

  async #work(): Promise<void> {
    const { clock } = this.#parts;
    let turnEnds = clock.now() + turn;
    try {
      for (const reading of this.#readings) {
        while (this.#readOn(reading)) {
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

  /** Reads the next lines of a port: for crashes first, which have to be marked before others are looked through. */
  #readOn(reading: Reading): boolean {
    const slice = reading.feed.read();
    if (slice !== null) {
      this.#look(reading, slice);
      return true;
    }
    const before = reading.addresses.incident;
    const isRead = reading.addresses.advance((sequence) => this.#severities.has(sequence), this.#decoder);
    const after = reading.addresses.incident;
    if (after?.lines.at(-1)?.sequence !== before?.lines.at(-1)?.sequence) {
      this.#incidentRevision++;
      this.#parts.onMarked();
    }
    return isRead;
  }

  #look(reading: Reading, { bytes, lines }: LineSlice): void {
    const text = this.#decoder.decode(bytes);
    const before = [this.#incidentRevision, this.#lookRevision];
    const isFolded = reading.folds.concerns(text);
    if (isFolded || reading.dump.concerns(text)) {
      this.#readDump(reading, { bytes, lines });
    }
    if (isFolded) {
      this.#lookRevision++;
      this.#endSilence?.();
      this.#endSilence = this.#parts.clock.schedule(longestSilence, () => this.#fallSilent());
    }
    if (!reading.recogniser.skips(text)) {
      this.#mark(reading, { bytes, lines });
    }
    if (this.#incidentRevision !== before[0] || this.#lookRevision !== before[1]) {
      this.#parts.onMarked();
    }
  }

  #readDump({ port, dump, folds }: Reading, { bytes, lines }: LineSlice): void {
    for (const { start, end, sequence, at } of lines) {
      const text = this.#decoder.decode(bytes.subarray(start, end));
      folds.line(text, sequence, at);
      const found = dump.line(text, at);
      if (found !== null) {
        this.#incidentRevision++;
        this.#dumps = [...this.#dumps, { id: ++this.#lastDump, port, ...found }].slice(-maxDumps);
      }
    }
  }

  /** A dump that goes on at another port is said to be coming again with its next line. */
  #fallSilent(): void {
    const stopped = this.#readings.filter(({ folds }) => folds.stop());
    if (stopped.length > 0) {
      this.#lookRevision++;
      this.#parts.onMarked();
    }
  }

  #mark({ port, recogniser }: Reading, { bytes, lines }: LineSlice): void {
    for (const { start, end, sequence, at } of lines) {
      const line = bytes.subarray(start, end);
      const mark = recogniser.line(line);
      if (mark !== undefined) {
        this.#incidentRevision++;
        this.#lookRevision++;
        this.#severities.set(sequence, mark.severity);
        this.#book.add(port, mark, { sequence, at, text: withoutColours(lineText(line)) }, recogniser.chip ?? null);
      }
    }
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const sequence of this.#severities.keys()) {
      if (this.#severities.size <= maxMarked) {
        return;
      }
      this.#severities.delete(sequence);
    }
  }
}
