/** A crash or a restart of a board, according to a log. It can be cloned between threads. */
import type { PortNumber } from '@wirebench/serial';
import type { Incident as LoggedIncident } from '@wirebench/symbols';
import { type BenchPart, revision } from './fact.ts';

/** A crash or a restart in the log of a port. */
export type Incident = LoggedIncident<PortNumber>;

/** A core dump that the log contains completely. */
export interface LogDump {
  /** Never reused; newer dumps have higher ids. */
  readonly id: number;
  readonly port: PortNumber;
  /** Start of the dump, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Addresses from `low` up to, but not including, `high`. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}

/** Calls for crashes, restarts and core dumps in the log. */
export interface CrashCalls {
  /** Returns the crashes and restarts in the log, newest first. */
  incidents(): readonly Incident[];
  /**
   * Sets the code ranges of the open ELF files. Lines with such addresses are found in the ring and among later
   * lines.
   */
  setCodeRanges(ranges: readonly CodeRange[]): void;
  /** Returns the core dumps that the log contains completely, newest last. */
  logDumps(): readonly LogDump[];
  /** Returns the text of a dump from its first mark to its last. Null if it is no longer kept. */
  logDumpText(id: number): string | null;
  /** Unfolds or folds the core dump of `port` that contains a line. */
  showDumpLines(port: PortNumber, sequence: number, shown: boolean): void;
  /**
   * Returns all lines of the core dump of `port` that contains a line, including lines that the console hides. Null
   * if the ring no longer holds its first line.
   */
  dumpLines(port: PortNumber, sequence: number): string | null;
}

export const crashPart = {
  quiet: ['incidents', 'logDumps', 'logDumpText'],
  facts: {
    /** Changes with the crashes, restarts and core dumps. */
    incidentRevision: revision,
  },
} satisfies BenchPart<CrashCalls>;
