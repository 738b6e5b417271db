/**
 * Reads the received lines, marks those of a crash or a restart, and groups them into incidents. Keeps core dumps.
 * Works in slices, outside of the path of received bytes. A stretch of log without a hint is searched only once.
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
import { DumpLines, IncidentBook, PanicRecogniser, type PanicSeverity } from '@wirebench/symbols';
import type { CodeRange, Incident, LogDump } from '../../protocol/bench/crash-part.ts';
import { DumpFolds, type DumpStrip } from '../../protocol/rows/dump-folds.ts';
import { AddressLines } from './address-lines.ts';

/** Longest run before other work gets the thread, in milliseconds. */
const turn = 8;
/** Maximum number of remembered marks: those of the newest lines. */
const maxMarked = 10_000;
/** Milliseconds without a line after which an unfinished core dump is no longer shown as arriving. */
const longestSilence = 5_000;
/** Maximum number of kept core dumps of the log: the newest. */
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
  /** Called when lines were marked. */
  readonly onMarked: () => void;
}

export class CrashWatch {
  readonly #parts: CrashWatchParts;
  readonly #readings: readonly Reading[];
  readonly #book = new IncidentBook<PortNumber>();
  readonly #decoder = new TextDecoder();
  /** By line number, in the order of their discovery. */
  readonly #severities = new Map<number, PanicSeverity>();
  #dumps: readonly (LogDump & { readonly text: string })[] = [];
  #lastDump = 0;
  #running = false;
  #incidentRevision = 0;
  #lookRevision = 0;
  /** Cancels the timer for the next line of a core dump. */
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

  /** Increases after each change of incidents or core dumps. */
  get incidentRevision(): number {
    return this.#incidentRevision;
  }

  /** Increases when the look of lines changes: a mark, or a core dump's row. */
  get lookRevision(): number {
    return this.#lookRevision;
  }

  /** Incidents, newest first, followed by each port's lines with code addresses. */
  get incidents(): readonly Incident[] {
    return [...this.#book.incidents, ...this.#readings.flatMap(({ addresses }) => addresses.incident ?? [])];
  }

  /** Sets the code ranges of the open ELF files, so that lines with such addresses are found. */
  setCodeRanges(ranges: readonly CodeRange[]): void {
    for (const { addresses } of this.#readings) {
      addresses.setRanges(ranges);
    }
    this.#incidentRevision++;
    this.advance();
  }

  /** Core dumps that the log contains completely, newest last. */
  get dumps(): readonly LogDump[] {
    return this.#dumps.map(({ id, port, at }) => ({ id, port, at }));
  }

  /** Returns the text of a dump from its first mark to its last. Null if it is no longer kept. */
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

  /** Returns the core dump of `port` that contains a line; null without one. */
  stripAt(port: PortNumber, sequence: number): DumpStrip | null {
    return this.#readings.find((reading) => reading.port === port)?.folds.stripAt(sequence) ?? null;
  }

  /** Core dumps that are shown as one row each. */
  get foldedDumps(): readonly { readonly port: PortNumber; readonly strip: DumpStrip }[] {
    return this.#readings.flatMap(({ port, folds }) => folds.folded.map((strip) => ({ port, strip })));
  }

  /** Unfolds or folds the core dump of `port` that contains a line. */
  showDumpLines(port: PortNumber, sequence: number, shown: boolean): void {
    const folds = this.#readings.find((reading) => reading.port === port)?.folds;
    if (folds?.show(sequence, shown)) {
      this.#lookRevision++;
      this.#parts.onMarked();
    }
  }

  /** Clears the log. Lines keep their marks: their numbers are never reused, and the clear may be undone. */
  clear(): void {
    this.#book.clear();
    for (const { addresses } of this.#readings) {
      addresses.clear();
    }
    this.#incidentRevision++;
  }

  /** Forgets all crashes and core dumps: the log is read again. */
  startOver(): void {
    this.clear();
    this.#book.forgetCleared();
    this.#severities.clear();
    this.#dumps = [];
    this.#lookRevision++;
  }

  /** Restores the cleared lines. */
  restoreCleared(): void {
    this.#book.restoreCleared();
    for (const { addresses } of this.#readings) {
      addresses.restoreCleared();
    }
    this.#incidentRevision++;
  }

  /** Called when the clear can no longer be undone. */
  forgetCleared(): void {
    this.#book.forgetCleared();
  }

  /** Reads the lines that were not read yet, unless a read is running. */
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

  /**
   * Reads the next lines of a port. Crashes come first, because their lines must be marked before the search for
   * addresses.
   */
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

  #look(reading: Reading, slice: LineSlice): void {
    const text = this.#decoder.decode(slice.bytes);
    const before = [this.#incidentRevision, this.#lookRevision];
    const isFolded = reading.folds.concerns(text);
    if (isFolded || reading.dump.concerns(text)) {
      this.#readDump(reading, slice);
    }
    if (isFolded) {
      this.#lookRevision++;
      this.#endSilence?.();
      this.#endSilence = this.#parts.clock.schedule(longestSilence, () => this.#fallSilent());
    }
    if (!reading.recogniser.skips(slice.bytes)) {
      this.#mark(reading, slice);
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

  /** Hides an unfinished dump that has been silent too long. Its next line shows it again. */
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
