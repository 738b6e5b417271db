/** Rows of the log as the page reads, copies, exports and clears them. */
import type { Clock } from '@wirebench/clock';
import {
  type Bench,
  type Hit,
  lineText,
  type PortNumber,
  type Row,
  type RowQuery,
  type RowRange,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type {
  CopiedRows,
  ExportRequest,
  LogPart,
  RowCalls,
  RowLook,
  SpokenNotice,
} from '../../protocol/bench/row-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';
import { type AnsweredPage, paintRow } from '../../protocol/rows/painted-row.ts';
import type { CrashWatch } from '../crash/crash-watch.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { ConsoleSearch } from './console-search.ts';
import { DumpRows } from './dump-rows.ts';
import type { LineAuthors } from './line-authors.ts';
import type { PlotWorker } from './plot-worker.ts';
import type { RuleWorker } from './rule-worker.ts';
import type { WaitTickets } from './wait-tickets.ts';

/** Rows at the start of the log that are searched for a line with a time. */
const FIRST_ROWS = 100;
/** Milliseconds for which a clear can be undone. The cleared lines keep their memory until then. */
const undoTime = 60_000;
/** Maximum number of characters to copy. Other programs take them from the clipboard in one piece. */
const maxCopied = 64 * 1_024 * 1_024;

export interface RowWorkerParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly search: ConsoleSearch;
  readonly crashes: CrashWatch;
  readonly rules: RuleWorker;
  readonly plot: PlotWorker;
  readonly recorder: Recorder;
  readonly waits: WaitTickets;
  readonly authors: LineAuthors;
  /** Lines that a poll of registers has sent. */
  readonly polled: LineAuthors;
  /** Files of opened logs whose received bytes are the file itself. */
  readonly rawFiles: ReadonlyMap<PortNumber, Blob>;
  readonly onProgress: () => void;
}

/**
 * Returns the sequence number of the oldest line in the ring that arrived at `at` or later. Null without one. A
 * binary search suffices, because lines are in order of arrival.
 * @param at Milliseconds since the Unix epoch.
 */
export function lineFrom(bench: Bench, at: number): number | null {
  const rowAt = (position: number) => bench.rows({ layout: 'text', anchor: { position }, count: 1 });
  let found: Row | null = null;
  let low = 0;
  let high = rowAt(0).total;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const [row] = rowAt(middle).rows;
    if (row === undefined || row.at < at) {
      low = middle + 1;
    } else {
      found = row;
      high = middle;
    }
  }
  return found?.sequence ?? null;
}

/** Collects new notices of the timeline, so that a page can announce them to a screen reader without fetching rows. */
class NoticeFeed {
  readonly #bench: Bench;
  readonly #notices: ReturnType<Bench['search']>;
  #last = -1;

  constructor(bench: Bench) {
    this.#bench = bench;
    this.#notices = bench.search({ kind: 'regex', source: '^', ignoreCase: false, channels: ['notices'] });
  }

  /** Returns the notices since the last call, oldest first. */
  take(): SpokenNotice[] {
    while (this.#notices.step()) {
      // Ends soon, because few lines are notices.
    }
    const fresh: SpokenNotice[] = [];
    for (let index = this.#notices.count - 1; index >= 0; index--) {
      const sequence = this.#notices.sequenceAt(index) ?? -1;
      if (sequence <= this.#last) {
        break;
      }
      fresh.unshift(this.#read(sequence));
    }
    this.#last = fresh.at(-1)?.sequence ?? this.#last;
    return fresh;
  }

  #read(sequence: number): SpokenNotice {
    const { rows } = this.#bench.rows({ layout: 'text', anchor: { sequence, part: 0, offset: 0 }, count: 1 });
    const row = rows[0];
    return { sequence, level: row?.level ?? 'info', text: row === undefined ? '' : lineText(row.bytes) };
  }
}

/**
 * Assembles the chunks of a long export into one file, in slices. The thread keeps reading the ports, and memory
 * holds the data only once.
 */

/** Longest run of assembling before the ports are read again, in milliseconds. */
const sliceDuration = 8;

/** Bytes passed to the browser at a time, so that this thread need not keep them. */
const partBytes = 16 << 20;

/**
 * @param pause Yields to other work of this thread. Receives the number of bytes assembled so far.
 * @throws The reason of `signal` after its abort.
 */
export async function assembleBlob(
  chunks: Iterable<Uint8Array<ArrayBuffer>>,
  type: string,
  pause: (bytes: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let sliceEnds = performance.now() + sliceDuration;
  for (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.byteLength;
    bytes += chunk.byteLength;
    if (pendingBytes >= partBytes) {
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
    if (performance.now() >= sliceEnds) {
      await pause(bytes);
      signal?.throwIfAborted();
      sliceEnds = performance.now() + sliceDuration;
    }
  }
  return new Blob([...parts, ...pending], { type });
}

/** Text of copied rows as UTF-8, without the line break at its end. */
export const tooMuchToCopy = 'This is too much for the clipboard. Save the log instead.';

const encoder = new TextEncoder();

export class CopiedText {
  readonly #pieces: Iterable<string>;
  readonly #maxLength: number;
  /** Rows in the chunks that were taken. */
  rows = 0;

  /**
   * @param pieces Each ends with a line break.
   * @param maxLength In UTF-16 units.
   */
  constructor(pieces: Iterable<string>, maxLength: number) {
    this.#pieces = pieces;
    this.#maxLength = maxLength;
  }

  /** @throws RangeError if the text is longer than `maxLength`. */
  *chunks(): Generator<Uint8Array<ArrayBuffer>, void> {
    let length = 0;
    for (const piece of this.#pieces) {
      // The break behind the previous piece comes with this one.
      const text = `${this.rows === 0 ? '' : '\n'}${piece.slice(0, -1)}`;
      length += text.length;
      if (length > this.#maxLength) {
        throw new RangeError(tooMuchToCopy);
      }
      this.rows += breaksIn(piece);
      yield encoder.encode(text);
    }
  }
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

export class RowWorker {
  readonly #parts: RowWorkerParts;
  readonly #dumps: DumpRows;
  readonly #notices: NoticeFeed;
  /** Changes when a sent line is shown beside its echo. */
  #echoRevision = 0;
  /** Arrival of the first line since the log was last cleared. */
  #startedAt: number | null = null;
  /** Bytes of the running export so far; null without an export. */
  #exported: number | null = null;
  /** The last clear, while it can be undone; else null. */
  #cleared: { readonly startedAt: number | null; readonly some: boolean; readonly endWait: () => void } | null = null;

  constructor(parts: RowWorkerParts) {
    this.#parts = parts;
    this.#dumps = new DumpRows(parts.bench, parts.crashes);
    this.#notices = new NoticeFeed(parts.bench);
  }

  /** Takes the notices since the last call out of the feed. */
  takeProgress() {
    const { crashes, rules } = this.#parts;
    return {
      exported: this.#exported,
      lookRevision: crashes.lookRevision + rules.lookRevision + this.#echoRevision,
      notices: this.#notices.take(),
    } satisfies Partial<BenchTick>;
  }

  readonly handlers: CallHandlers<RowCalls> = {
    resize: (ringBytes) => {
      this.#parts.recorder.readLines();
      this.#parts.bench.resize(ringBytes);
    },
    rows: (query, look = {}) => this.#rows(query, look),
    lineFrom: (at) => lineFrom(this.#parts.bench, at),
    copyRows: (range, pane = null, ticket) => this.#held(ticket, (signal) => this.#copy(range, pane, signal)),
    exportFile: (request, ticket) => this.#held(ticket, (signal) => this.#export(request, signal)),
    clear: () => this.#clear(),
    undoClear: () => this.#undoClear(),
    notice: (...notice) => this.#parts.bench.notice(...notice),
  };

  #held<Result>(ticket: number | undefined, work: (signal?: AbortSignal) => Promise<Result>): Promise<Result> {
    return ticket === undefined ? work() : this.#parts.waits.hold(ticket, work);
  }

  #rows(query: RowQuery, { pane = null, controls = false, frames }: RowLook): AnsweredPage {
    const view = this.#parts.search.viewOf(pane);
    const { folds } = this.#parts.crashes;
    const { first, total, rows } = this.#parts.bench.rows(
      { ...query, controls },
      { ...view, ...(folds !== undefined && { folds }) },
    );
    // The first lines of an opened log may have no time.
    this.#startedAt ??=
      this.#parts.bench
        .rows({ layout: 'text', anchor: { position: 0 }, count: FIRST_ROWS })
        .rows.find(({ at }) => !Number.isNaN(at))?.at ?? null;
    const stripOf = this.#dumps.stripsIn(view);
    // The row of an echo also stands for the sent line.
    const echoed = rows.flatMap(({ echo, port }) =>
      echo === undefined ? [] : [{ sequence: echo.sent, port, direction: 'sent' as const }],
    );
    const lines = [...rows, ...echoed];
    const looks = new Map(this.#parts.rules.looks(lines).map((look, index) => [lines[index]?.sequence, look]));
    const painted = rows.map((row) => ({
      ...paintRow(row, query.layout, {
        marker: view.marks?.markerOf(row),
        controls,
        rule: looks.get(row.sequence) ?? looks.get(row.echo?.sent) ?? null,
        ...(frames !== undefined && {
          framed: this.#parts.bench.frameOf(row),
          isOpened: row.sequence === frames.opened,
          note: this.#parts.polled.of(row.sequence),
        }),
      }),
      crash: this.#parts.crashes.severityOf(row.sequence),
      author: this.#parts.authors.of(row.echo?.sent ?? row.sequence),
      dump: stripOf(row),
    }));
    const complete = view.filter?.complete ?? true;
    const isHidden =
      total === 0 && view.filter !== undefined && this.#parts.bench.rows({ ...query, count: 1 }).total > 0;
    return { first, total, startedAt: this.#startedAt, complete, rows: painted, ...(isHidden && { isHidden }) };
  }

  /** Unfolds a core dump that contains the hit, or shows the hit beside its echo, so that it is visible. */
  show(hit: Hit | null): Hit | null {
    if (hit !== null) {
      const anchor = { sequence: hit.sequence, part: 0, offset: 0 };
      const [row] = this.#parts.bench.rows({ layout: 'text', anchor, count: 1 }).rows;
      if (row !== undefined && row.port !== null && row.direction === 'received') {
        this.#parts.crashes.showDumpLines(row.port, hit.sequence, true);
      } else if (
        row?.direction === 'sent' &&
        row.port !== null &&
        this.#parts.bench.showEchoed(row.port, hit.sequence)
      ) {
        this.#echoRevision++;
        this.#parts.onProgress();
      }
    }
    return hit;
  }

  #clear(): boolean {
    this.#parts.recorder.takeLines();
    this.#cleared?.endWait();
    const startedAt = this.#cleared?.startedAt ?? this.#startedAt;
    const some = this.#cleared?.some === true || this.#parts.bench.status().lines > 0;
    const endWait = this.#parts.clock.schedule(undoTime, () => {
      this.#cleared = null;
      this.#parts.crashes.forgetCleared();
      this.#parts.bench.forgetCleared();
    });
    this.#cleared = { startedAt, some, endWait };
    this.#startedAt = null;
    this.#parts.crashes.clear();
    this.#parts.bench.clear();
    return some;
  }

  /** Deletes all lines, and what is known of them: opened logs are read again. */
  startOver(): void {
    this.#cleared?.endWait();
    this.#cleared = null;
    this.#startedAt = null;
    this.#parts.crashes.startOver();
    this.#parts.bench.startOver();
    this.#parts.rules.startOver();
    this.#parts.search.restart();
  }

  #undoClear(): boolean {
    if (this.#cleared === null) {
      return false;
    }
    this.#cleared.endWait();
    this.#startedAt = this.#cleared.startedAt ?? this.#startedAt;
    this.#cleared = null;
    this.#parts.crashes.restoreCleared();
    this.#parts.bench.restoreCleared();
    this.#parts.search.restart();
    this.#parts.rules.restoreCleared();
    return true;
  }

  /**
   * Returns all lines of a core dump as one text; null if its first line is not kept. Joins them in slices, so that the
   * ports are read in between.
   */
  async dumpLines(port: PortNumber, sequence: number): Promise<string | null> {
    const pieces = this.#dumps.linesAt(port, sequence);
    if (pieces === null) {
      return null;
    }
    const joined: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      joined.push(piece);
      length += piece.length;
      if (length > maxCopied) {
        throw new RangeError(tooMuchToCopy);
      }
      await this.#parts.clock.sleep(0);
    }
    return joined.join('');
  }

  async #export(request: ExportRequest, signal?: AbortSignal): Promise<Blob> {
    try {
      return await this.#assemble(request, signal);
    } finally {
      this.#exported = null;
      this.#parts.onProgress();
    }
  }

  async #copy(range: RowRange, pane: LogPart | null, signal?: AbortSignal): Promise<CopiedRows> {
    const copied = new CopiedText(this.#dumps.copied(range, this.#parts.search.viewOf(pane)), maxCopied);
    try {
      const text = await assembleBlob(copied.chunks(), 'text/plain', this.#showExported, signal);
      return { text, rows: copied.rows };
    } finally {
      this.#exported = null;
      this.#parts.onProgress();
    }
  }

  /** Shows the number of bytes that are assembled, and lets everything else that waits have its turn. */
  readonly #showExported = (bytes: number) => {
    this.#exported = bytes;
    this.#parts.onProgress();
    return this.#parts.clock.sleep(0);
  };

  async #assemble(request: ExportRequest, signal?: AbortSignal): Promise<Blob> {
    const pause = this.#showExported;
    switch (request.kind) {
      case 'text':
      case 'csv': {
        const { kind, portNames } = request;
        const filter = request.shownOnly ? await this.#parts.search.wholeFilter(signal) : undefined;
        return kind === 'text'
          ? assembleBlob(this.#parts.bench.exportText({ portNames }, filter), 'text/plain', pause, signal)
          : assembleBlob(this.#parts.bench.exportCsv({ portNames }, filter), 'text/csv', pause, signal);
      }
      case 'raw':
        if (this.#parts.rawFiles.has(request.port)) {
          return this.#parts.rawFiles.get(request.port) as Blob;
        }
        return assembleBlob(this.#parts.bench.exportRaw(request.port), 'application/octet-stream', pause, signal);
      case 'plot':
        return assembleBlob(this.#parts.plot.exportCsv(request.portNames) ?? [], 'text/csv', pause, signal);
    }
  }
}
