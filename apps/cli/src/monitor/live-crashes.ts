/**
 * Decodes crashes while they are printed. The lines of a crash are collected until its board restarts or falls silent,
 * and are then read as `wirebench crash` reads a log.
 */
import type { Clock } from '@wirebench/clock';
import { type Bench, type LineFeed, lineText, type PortNumber, withoutColours } from '@wirebench/serial';
import { isDumpEnd, isDumpStart, PanicRecogniser } from '@wirebench/symbols';
import { crashesIn, type GivenFiles } from '../crash.ts';
import { printable } from '../printable.ts';

/** Time without a line of the crash after which it is over, in milliseconds. */
const SILENCE = 1_000;
/** The same inside of a core dump. */
const DUMP_SILENCE = 5_000;
/** Most characters of a crash: as Base64, 6 MB of memory. */
const MAX_TEXT = 8 * 1_024 * 1_024;

interface Reading {
  readonly port: PortNumber;
  readonly feed: LineFeed;
  readonly recogniser: PanicRecogniser;
  /** Newest lines that named the chip and the build: a crash may not name them again. */
  chip: string;
  build: string;
  /** Lines of the crash that is being printed; null without one. */
  lines: string[] | null;
  length: number;
  isInDump: boolean;
  /** Arrival of the newest line of the crash, in milliseconds since the Unix epoch. */
  at: number;
}

export class LiveCrashes {
  readonly #bench: Bench;
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #files: GivenFiles;
  readonly #readings: readonly Reading[];
  #telling: Promise<void> = Promise.resolve();

  /** @param files ELF files of the firmware. */
  constructor(bench: Bench, clock: Pick<Clock, 'wallTime'>, ports: readonly PortNumber[], files: GivenFiles) {
    this.#bench = bench;
    this.#clock = clock;
    this.#files = files;
    this.#readings = ports.map((port) => ({
      port,
      feed: bench.lineFeed(port),
      recogniser: new PanicRecogniser(),
      chip: '',
      build: '',
      lines: null,
      length: 0,
      isInDump: false,
      at: 0,
    }));
  }

  /** Reads what has come, and reports crashes that are over as notices. */
  advance(): void {
    for (const reading of this.#readings) {
      for (let slice = reading.feed.read(); slice !== null; slice = reading.feed.read()) {
        for (const { start, end, at } of slice.lines) {
          this.#line(reading, slice.bytes.subarray(start, end), at);
        }
      }
      const silence = reading.isInDump ? DUMP_SILENCE : SILENCE;
      if (reading.lines !== null && this.#clock.wallTime() - reading.at >= silence) {
        this.#tell(reading);
      }
    }
  }

  /** Reports what has been printed of a crash. */
  async end(): Promise<void> {
    this.advance();
    for (const reading of this.#readings) {
      this.#tell(reading);
    }
    await this.#telling;
  }

  #line(reading: Reading, bytes: Uint8Array, at: number): void {
    const { recogniser } = reading;
    const chip = recogniser.chip;
    const mark = recogniser.line(bytes);
    const text = withoutColours(lineText(bytes));
    if (recogniser.chip !== chip) {
      reading.chip = text;
    }
    if (mark?.hash !== undefined) {
      reading.build = text;
    }
    const isDump = isDumpStart(text);
    const begins = isDump || (mark !== undefined && mark.severity !== 'notice');
    if (reading.lines === null && begins) {
      reading.lines = [reading.chip, reading.build].filter((line) => line !== '' && line !== text);
      reading.length = 0;
    }
    if (reading.lines === null) {
      return;
    }
    reading.lines.push(text);
    reading.length += text.length;
    reading.isInDump = isDump || (reading.isInDump && !isDumpEnd(text));
    if (mark !== undefined || reading.isInDump) {
      reading.at = at;
    }
    if (mark?.kind === 'reset' || reading.length > MAX_TEXT) {
      this.#tell(reading);
    }
  }

  #tell(reading: Reading): void {
    const { lines, port } = reading;
    if (lines === null) {
      return;
    }
    reading.lines = null;
    reading.isInDump = false;
    const explain = async () => {
      const bytes = new TextEncoder().encode(lines.join('\n'));
      const { crashes, failures } = await crashesIn(bytes, 'this crash', this.#files);
      for (const crash of crashes) {
        const texts = crash.lines.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '');
        for (const [index, text] of texts.entries()) {
          this.#bench.notice(index === 0 ? 'error' : 'info', printable(text), port);
        }
      }
      for (const failure of failures) {
        this.#bench.notice('warning', printable(failure), port);
      }
    };
    this.#telling = this.#telling.then(explain).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#bench.notice('warning', `The crash could not be explained: ${printable(reason)}`, port);
    });
  }
}
