/**
 * Messages between the page of opened logs and the log worker beside its bench: calls with answers, and a tick after each
 * change. The lines of a log are on the bench, at the port with the log's number. All values can be cloned between threads.
 */

import type { Framing, LineQuery, PortNumber } from '@wirebench/serial';
import type { LogEncoding, LogProgramName, LogVerdict } from '@wirebench/serial/opened-log';

/** Choices of a person about a log. Omitted: as recognised. */
export interface LogChoice {
  readonly encoding?: LogEncoding;
  /** Null: lines have no prefix. */
  readonly program?: LogProgramName | null;
  /** Pattern of the prefix whose time the person has marked. It replaces the program, and is replaced by one. */
  readonly marked?: string;
}

export interface LogApi {
  /**
   * Opens a file beside those that are open, and reads it. Rejects if it cannot be read, or if four logs are open.
   *
   * @param kept Patterns that a person has marked in earlier files, newest first.
   * @returns The number of the log: that of the port on the bench.
   */
  open(file: Blob, name: string, lastModified: number, kept: readonly string[]): PortNumber;
  close(log: PortNumber): void;
  /** Reads the log again in another form. */
  choose(log: PortNumber, choice: LogChoice): void;
  /**
   * Returns the first lines among which one contains what looks like a time, for a person who marks it. Without one: those at
   * the start of the file. Rejects if the file cannot be read.
   */
  firstLines(log: PortNumber): readonly string[];
  /** Reads the log again with other ends of lines. */
  setFraming(log: PortNumber, framing: Framing): void;
  /** Shows the part of a log that begins with the first line at `from` or later, in bytes of the file. */
  showPart(log: PortNumber, from: number): void;
  /**
   * Searches the rest of a log, from the end of the part that is held, and goes on from the start of the file. Shows the
   * part around the first line found, and answers before that part is read to its end.
   *
   * @returns Number of the line on the timeline. Null if the rest has no such line.
   */
  findOn(log: PortNumber, query: LineQuery): number | null | 'cancelled';
  /** Stops reading or searching. Lines that were read stay. */
  cancel(): void;
  /** Keeps this many bytes of each log, and reads all logs again. Rejects if there is not enough memory. */
  resize(ringBytes: number): void;
}

/**
 * Source of the dates of a log's times. `lines`: its lines. `changed`: the time at which the file was changed last. `beside`: a
 * log beside it. Null: unknown, so exports have times without a date.
 */
export type LogDate =
  | { readonly from: 'lines' | 'beside' }
  | {
      readonly from: 'changed';
      /** In milliseconds since the Unix epoch. */
      readonly at: number;
    }
  | null;

export interface OpenedLog {
  readonly log: PortNumber;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly encoding: LogEncoding;
  /** Null: lines have no prefix. */
  readonly program: LogProgramName | null;
  /** Pattern of the prefix whose time a person has marked. Null: none. */
  readonly marked: string | null;
  /** True: some bytes are no UTF-8, so the file may be Latin-1. */
  readonly isDamaged: boolean;
  readonly hasTimes: boolean;
  /** True: the lines have no times, and some contain what looks like one. */
  readonly mayHaveTimes: boolean;
  /** True: some lines without a time are below one that has one. */
  readonly hasBlocks: boolean;
  /** Time on the day of lines without a date, in milliseconds since the Unix epoch: when the file was changed last. */
  readonly day: number;
  /** Programs that may have written the prefixes, if nothing tells which: the lines then have no times. */
  readonly candidates: readonly LogProgramName[];
  readonly date: LogDate;
  /** Verdict of `wirebench test` at the end of the file; null without one. */
  readonly verdict: LogVerdict | null;
  /** Part of the file whose lines are held, in bytes. */
  readonly from: number;
  readonly to: number;
  /** Bytes of lines that a part can hold, at most. */
  readonly room: number;
}

export interface LogTick {
  readonly logs: readonly OpenedLog[];
  /** True: the logs are on one timeline by their times. */
  readonly isMerged: boolean;
  /** Work that goes on, with the bytes that are done. Null without any. */
  readonly work: { readonly kind: 'reading' | 'finding'; readonly done: number; readonly total: number } | null;
}
