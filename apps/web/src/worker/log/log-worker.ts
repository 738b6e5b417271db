/**
 * Worker side of opened logs, beside the bench of their page: reads files into the bench's lines. A log has the number of a
 * port, which is never open. The file is the store: the lines hold a part of it, as large as a port's buffer.
 */
import type { Clock } from '@wirebench/clock';
import { joined } from '@wirebench/port/bytes';
import { type Framing, type LineQuery, type PortNumber, portNumbers } from '@wirebench/serial';
import {
  byTime,
  daysBefore,
  findInLog,
  guessTime,
  HEAD_BYTES,
  hasClock,
  hasTimes,
  headText,
  inTurn,
  isHexLog,
  isRawForm,
  type LogSource,
  LogStream,
  type LogVerdict,
  lineFrom,
  type RecognisedLog,
  recogniseLog,
  TAIL_BYTES,
  verdictIn,
  withoutColours,
} from '@wirebench/serial/opened-log';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { CallServer } from '../../protocol/calls/call-server.ts';
import type { LogApi, LogChoice, LogDate, LogTick, OpenedLog } from '../../protocol/log-protocol.ts';
import type { BenchWorker } from '../bench/bench-worker.ts';

/** Longest run of reading before other work gets the thread, in milliseconds. */
const turn = 8;
const tickTime = 100;
/**
 * Bytes of a log that are shown before a line that was found, at most. Small buffers show a quarter of a part. They are
 * also those of a slice: a large one would delay the line.
 */
const CONTEXT = 1 << 18;
/** Offset up to which lines with what looks like a time are looked for, in bytes: a second of reading. */
const LATEST_TIME = 1 << 24;
/** Bytes after the place of a found line that hold the line, unless it is long. */
const HIT_BYTES = 1 << 14;

interface HeldLog {
  readonly log: PortNumber;
  readonly file: Blob;
  readonly source: LogSource;
  readonly name: string;
  readonly lastModified: number;
  readonly recognised: RecognisedLog;
  readonly verdict: LogVerdict | null;
  choice: LogChoice;
  date: LogDate;
  hasBlocks: boolean;
  /** Part of the file whose lines are held. */
  from: number;
  to: number;
}

interface Until {
  readonly held: HeldLog;
  /** Offset in the file. */
  readonly at: number;
  readonly resolve: () => void;
}

interface Loading {
  readonly logs: readonly HeldLog[];
  readonly streams: readonly LogStream[];
  /** Bytes of the files that are read, at most. */
  readonly total: number;
  readonly until: Until | null;
}

export interface LogWorkerParts {
  readonly clock: Clock;
  readonly worker: Pick<BenchWorker, 'bench' | 'devices' | 'frames' | 'devicesChanged' | 'startOver' | 'rawFiles'>;
}

export class LogWorker {
  readonly #parts: LogWorkerParts;
  readonly #line: CallServer<LogApi, LogTick>;
  readonly #logs = new Map<PortNumber, HeldLog>();
  #work: LogTick['work'] = null;
  /** Ends the work that goes on. */
  #cancel = new AbortController();
  /** Work in the order of its calls. */
  #last: Promise<void> = Promise.resolve();
  /** Files that are being looked at. */
  #adding: Promise<void> = Promise.resolve();

  constructor(line: Channel, parts: LogWorkerParts) {
    this.#parts = parts;
    const { clock } = parts;
    parts.worker.frames.onChosen = async (log) => {
      if (this.#logs.has(log)) {
        await this.#read();
      }
    };
    this.#line = new CallServer<LogApi, LogTick>({
      channel: line,
      clock,
      failureOf: (error) => callFailure(error, null),
      tick: () => this.#tick(),
      interval: () => tickTime,
      handlers: {
        open: (...file) => this.#open(...file),
        close: (log) => this.#close(log),
        choose: (log, choice) => this.#choose(log, choice),
        firstLines: (log) => this.#firstLines(log),
        setFraming: (log, framing) => this.#setFraming(log, framing),
        showPart: (log, from) => this.#showPart(log, from),
        findOn: (log, query) => this.#findOn(log, query),
        cancel: () => this.#cancel.abort(),
        resize: async (ringBytes) => {
          parts.worker.bench.resize(ringBytes);
          await this.#read();
        },
      },
    });
  }

  async #open(...file: Parameters<LogApi['open']>): Promise<PortNumber> {
    // One after the other, so that files that are opened together keep their order.
    const adding = this.#adding.then(() => this.#add(...file));
    this.#adding = adding.then(
      () => undefined,
      () => undefined,
    );
    const log = await adding;
    await this.#read();
    return log;
  }

  async #add(...[file, name, lastModified, kept]: Parameters<LogApi['open']>): Promise<PortNumber> {
    const log = portNumbers.find((number) => !this.#logs.has(number));
    if (log === undefined) {
      throw new Error('Four logs are open, which is the most. Close one, then open this one again.');
    }
    const source = sourceOf(file);
    const recognised = recogniseLog(await headOf(source), kept);
    const verdict =
      recognised.program === 'wirebench'
        ? verdictIn(await source.read(Math.max(0, source.size - TAIL_BYTES), source.size))
        : null;
    const facts = { log, file, source, name, lastModified, recognised, verdict };
    const held: HeldLog = { ...facts, choice: {}, date: null, hasBlocks: false, from: 0, to: 0 };
    this.#logs.set(log, held);
    this.#parts.worker.devices.setLog(log, true);
    return log;
  }

  async #close(log: PortNumber): Promise<void> {
    this.#logs.delete(log);
    this.#parts.worker.devices.setLog(log, false);
    this.#parts.worker.rawFiles.delete(log);
    await this.#read();
  }

  async #choose(log: PortNumber, choice: LogChoice): Promise<void> {
    const held = this.#logs.get(log);
    if (held !== undefined) {
      const { program, marked, ...others } = held.choice;
      const isNew = choice.program !== undefined || choice.marked !== undefined;
      held.choice = isNew ? { ...others, ...choice } : { ...held.choice, ...choice };
      await this.#read();
    }
  }

  async #firstLines(log: PortNumber): Promise<readonly string[]> {
    const held = this.#logs.get(log);
    if (held === undefined) {
      return [];
    }
    const { source } = held;
    const form = formOf(held);
    const textAt = async (from: number) =>
      new TextDecoder()
        .decode(headText(await source.read(from, Math.min(from + HEAD_BYTES, source.size)), { ...form, mark: 0 }))
        .split(/\r?\n|\r/);
    const first = await textAt(form.mark);
    for (let lines = first, from = 0; ; ) {
      if (lines.some((line) => guessTime(withoutColours(line)) !== null)) {
        return lines;
      }
      from = await lineFrom(source, form, from + HEAD_BYTES);
      if (from >= Math.min(source.size, LATEST_TIME)) {
        return first;
      }
      lines = await textAt(from);
    }
  }

  async #setFraming(log: PortNumber, framing: Framing): Promise<void> {
    this.#parts.worker.bench.setFraming(log, framing);
    if (this.#logs.has(log)) {
      await this.#read();
    }
  }

  async #showPart(log: PortNumber, from: number): Promise<void> {
    const held = this.#logs.get(log);
    if (held !== undefined) {
      held.from = from;
      await this.#read();
    }
  }

  async #findOn(log: PortNumber, query: LineQuery): Promise<number | null | 'cancelled'> {
    const held = this.#logs.get(log);
    if (held === undefined) {
      return null;
    }
    const { clock, worker } = this.#parts;
    const done = await this.#after(async (signal) => ({ found: await this.#findRest(held, query, signal) }));
    if (done === null) {
      return 'cancelled';
    }
    const { found } = done;
    if (found === null) {
      return null;
    }
    // No earlier line of the searched range was found, so the first one of the part is the one at `found.at`.
    const context = Math.min(CONTEXT, worker.bench.ringBytes(log).received >> 2);
    held.from = Math.max(found.start, found.at - context);
    let isReading = true;
    const seen = new Promise<void>((resolve) => {
      const reading = this.#after((signal) => this.#readAll(signal, { held, at: found.at + HIT_BYTES, resolve }));
      reading
        .catch((error: Error) => worker.bench.notice('error', error.message, log))
        .finally(() => {
          isReading = false;
          resolve();
        });
    });
    for (;;) {
      const isLast = !isReading;
      await (isLast ? undefined : seen);
      const search = worker.bench.search({ ...query, ports: [log] });
      await search.run(() => clock.sleep(0));
      const hit = search.next(-1);
      if (hit !== null || isLast) {
        return hit?.sequence ?? null;
      }
      await this.#last;
    }
  }

  async #findRest(
    held: HeldLog,
    query: LineQuery,
    signal: AbortSignal,
  ): Promise<{ readonly start: number; readonly at: number } | null> {
    const { source, from, to } = held;
    const { clock, worker } = this.#parts;
    const form = formOf(held);
    const sieve = () => worker.bench.sieve(query);
    const total = source.size - to + from;
    let done = 0;
    let turnEnds = clock.now() + turn;
    this.#show({ kind: 'finding', done, total });
    for (const [start, end] of [
      [to, source.size],
      [form.mark, from],
    ] as const) {
      const before = done;
      const onProgress = async (bytes: number) => {
        done = before + bytes;
        if (clock.now() >= turnEnds) {
          this.#show({ kind: 'finding', done, total });
          await clock.sleep(0);
          turnEnds = clock.now() + turn;
        }
      };
      const at = await findInLog(source, form, sieve, { from: start, to: end, onProgress, signal });
      if (at !== null) {
        return { start, at };
      }
    }
    return null;
  }

  /** Reads all logs again, each from the start of its part. */
  async #read(): Promise<void> {
    await this.#after((signal) => this.#readAll(signal));
  }

  /** @param until Told once the lines of a log up to an offset are there. */
  async #readAll(signal: AbortSignal, until: Until | null = null): Promise<void> {
    const { bench, startOver, rawFiles } = this.#parts.worker;
    const logs = [...this.#logs.values()].sort((a, b) => a.log - b.log);
    startOver();
    for (const held of logs) {
      const form = formOf(held);
      held.from = await lineFrom(held.source, form, held.from);
      held.to = held.from;
      held.hasBlocks = false;
      if (isRawForm(form)) {
        rawFiles.set(held.log, held.file);
      } else {
        rawFiles.delete(held.log);
      }
      bench.countRecords(held.log, true);
    }
    if (logs.some(({ log }) => bench.decoderOf(log) !== null)) {
      for (const held of logs) {
        bench.setHexLog(held.log, await isHexLog(held.source, formOf(held), bench.hexLineCount()));
      }
    }
    // A log without dates is of the day of a log beside it, else of the day on which its file was changed last.
    const beside = logs.map(({ recognised }) => recognised.firstAt).find((at) => at !== null) ?? null;
    const streamOf = (held: HeldLog, days: number) => {
      const { source, from, lastModified, log } = held;
      const options = { from, day: beside ?? daysBefore(lastModified, days), most: bench.ringBytes(log) };
      return new LogStream(
        readAhead(source),
        formOf(held),
        held === until?.held ? { ...options, sliceBytes: CONTEXT } : options,
      );
    };
    const total = logs.reduce(
      (sum, { source, from, log }) => sum + Math.min(source.size - from, bench.ringBytes(log).received),
      0,
    );
    let streams = logs.map((held) => streamOf(held, 0));
    await this.#load({ logs, streams, total, until }, signal);
    for (const [index, held] of logs.entries()) {
      held.date = dateOf(held, streams[index], beside);
    }
    const days = streams.map(({ clock }, index) => (logs[index]?.date?.from === 'changed' ? clock.days : 0));
    if (days.some((passed) => passed > 0) && until === null && !signal.aborted) {
      // The file was changed last with its last line, so the first line is of an earlier day.
      startOver();
      streams = logs.map((held, index) => streamOf(held, days[index] ?? 0));
      await this.#load({ logs, streams, total, until }, signal);
    }
    for (const { log, date } of logs) {
      bench.setDated(log, date !== null);
      bench.endLoad(log);
    }
  }

  async #load({ logs, streams, total, until }: Loading, signal: AbortSignal): Promise<void> {
    const { clock, worker } = this.#parts;
    let turnEnds = clock.now() + turn;
    this.#show({ kind: 'reading', done: 0, total });
    for await (const { log, pieces } of this.#isMerged ? byTime(streams) : inTurn(streams)) {
      const held = logs[log];
      if (held !== undefined) {
        worker.bench.load(held.log, pieces);
        held.hasBlocks ||= pieces.some(({ at, blockAt }) => Number.isNaN(at) && !Number.isNaN(blockAt));
      }
      if (until !== null && held === until.held && (streams[log]?.at ?? 0) >= until.at) {
        until.resolve();
      }
      if (clock.now() >= turnEnds) {
        for (const [index, one] of logs.entries()) {
          one.to = streams[index]?.at ?? one.to;
        }
        this.#show({ kind: 'reading', done: logs.reduce((sum, { from, to }) => sum + to - from, 0), total });
        await clock.sleep(0);
        turnEnds = clock.now() + turn;
      }
      if (signal.aborted) {
        break;
      }
    }
    for (const [index, one] of logs.entries()) {
      one.to = streams[index]?.at ?? one.to;
    }
  }

  get #isMerged(): boolean {
    const logs = [...this.#logs.values()];
    return logs.length > 1 && logs.every((held) => hasClock(formOf(held)));
  }

  /** Runs `work` after all earlier work, which is cancelled. Cancelled work rejects or ends early. */
  async #after<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | null> {
    this.#cancel.abort();
    const cancel = new AbortController();
    this.#cancel = cancel;
    const done = this.#last.then(() => work(cancel.signal));
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await done;
    } catch (error) {
      if (cancel.signal.aborted) {
        return null;
      }
      throw error;
    } finally {
      if (this.#cancel === cancel) {
        this.#show(null);
      }
    }
  }

  #show(work: LogTick['work']): void {
    this.#work = work;
    this.#line.change();
    this.#parts.worker.devicesChanged();
  }

  #tick(): LogTick {
    const logs = [...this.#logs.values()].map((held): OpenedLog => {
      const { log, name, file, from, to, recognised, date, hasBlocks, choice, verdict, lastModified: day } = held;
      const { received: room } = this.#parts.worker.bench.ringBytes(log);
      const form = formOf(held);
      const { encoding, program, marked = null } = form;
      const { isDamaged } = recognised;
      const isChosen = choice.program !== undefined || choice.marked !== undefined;
      const candidates = isChosen ? [] : recognised.candidates;
      const mayHaveTimes = recognised.mayHaveTimes && !isChosen;
      const times = { program, marked, hasTimes: hasTimes(form), mayHaveTimes, hasBlocks, candidates, date, day };
      return { log, name, size: file.size, encoding, isDamaged, ...times, verdict, from, to, room };
    });
    return { logs, isMerged: this.#isMerged, work: this.#work };
  }
}

/**
 * Returns the source of a log's dates.
 *
 * @param beside Time of the first line of a log with dates.
 */
function dateOf(
  { source, recognised, lastModified, from, to }: HeldLog,
  stream: LogStream | undefined,
  beside: number | null,
): LogDate {
  if (stream === undefined || stream.clock.isRelative) {
    return null;
  }
  if (!stream.clock.lacksDates) {
    return { from: 'lines' };
  }
  if (beside !== null) {
    return { from: 'beside' };
  }
  // The file was changed with its last line. From there, the days can be counted back only over all of its lines.
  const isWhole = from <= recognised.mark && to >= source.size;
  return lastModified > 0 && isWhole && !stream.clock.isUnsteady ? { from: 'changed', at: lastModified } : null;
}

const formOf = ({ recognised, choice }: HeldLog): RecognisedLog => {
  const { marked = choice.program === undefined ? recognised.marked : undefined } = choice;
  const program = choice.program === undefined ? recognised.program : choice.program;
  const form = { ...recognised, ...choice, marked, program: marked === undefined ? program : null };
  // A mark belongs to the encoding that was recognised by it.
  return form.encoding === recognised.encoding ? form : { ...form, mark: 0 };
};

const headOf = (source: LogSource) => source.read(0, Math.min(HEAD_BYTES, source.size));

const sourceOf = (file: Blob): LogSource => ({
  size: file.size,
  read: async (from, to) => {
    try {
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    } catch (error) {
      throw new Error('The file could not be read. It may have been moved or changed: open it again.', {
        cause: error,
      });
    }
  },
});

/** Returns a source that reads the next bytes of the file while the lines of the last ones are made. */
function readAhead(source: LogSource): LogSource {
  let last = { from: 0, bytes: new Uint8Array() };
  /** Bytes that follow the last ones; null before the first read. */
  let next: Promise<Uint8Array<ArrayBuffer>> | null = null;
  return {
    size: source.size,
    read: async (from, to) => {
      const end = last.from + last.bytes.length;
      const follows = from >= last.from && from <= end && next !== null;
      const start = follows ? end : from;
      const more = start < to ? await ((follows ? next : null) ?? source.read(start, to)) : null;
      if (more !== null) {
        const kept = last.bytes.subarray(follows ? from - last.from : last.bytes.length);
        const rest = start + more.length < to ? await source.read(start + more.length, to) : new Uint8Array();
        last = { from, bytes: joined(kept, more, rest) };
        const read = from + last.bytes.length;
        next = source.read(read, Math.min(source.size, read + to - from));
        // The read that needs it rejects.
        next.catch(() => undefined);
      }
      return last.bytes.subarray(from - last.from, to - last.from);
    },
  };
}
