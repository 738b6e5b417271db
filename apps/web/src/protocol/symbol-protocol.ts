/**
 * Protocol between the page and the worker that reads ELF files and core dumps. All values can be cloned between
 * threads.
 */
import type { DecodeAnswer, IncidentLine, Machine, PanicAddress, ReportAnswer } from '@wirebench/symbols';
import type { CodeRange, Incident } from './bench/crash-part.ts';

/** Facts of an open ELF file. */
export interface SymbolFacts {
  readonly machine: Machine;
  /** SHA-256 of the file, by which a board identifies its build. Null if the browser cannot hash (plain http). */
  readonly hash: string | null;
  /** Code of the program: addresses from `low` up to, but not including, `high`. */
  readonly codeRanges: readonly CodeRange[];
  /** Number of compilation units that were left out because their debug information is damaged. */
  readonly damagedUnits: number;
}

export interface DecodeRequest {
  /** Files to search, in this order. The file of the running build always comes first. */
  readonly files: readonly number[];
  readonly addresses: readonly PanicAddress[];
  /** First digits of the SHA-256 of the running build. Null if unknown. */
  readonly build: string | null;
}

export interface ReportRequest {
  readonly dump: number;
  /** Candidate files. The build that the dump names is used, else the last file with the same processor. */
  readonly files: readonly number[];
}

export interface LogReportRequest {
  /** Lines of one crash. */
  readonly lines: readonly IncidentLine[];
  readonly files: readonly number[];
  /** First digits of the SHA-256 of the running build. Null if unknown. */
  readonly build: string | null;
}

/** Bytes of an opened core dump, without the text around it. */
export interface DumpContent {
  /** In bytes. */
  readonly size: number;
  /** Distinguishes dumps. */
  readonly hash: string;
  /** Null if the dump is too large to be sent. */
  readonly bytes: Uint8Array | null;
}

export interface LogAnswer {
  /** Newest first. */
  readonly incidents: readonly Incident[];
  /** Number of older ones that are left out. */
  readonly omitted: number;
  /** Bytes at the end of the file that were searched; null: all of it was. */
  readonly searched: number | null;
}

export interface SymbolApi {
  /**
   * Reads the file. Rejects with a `SymbolFailure` if it is unusable.
   * @param id Chosen by the caller, never reused.
   */
  open(id: number, file: File): SymbolFacts;
  /** Releases the file and stops reading it. */
  close(id: number): void;
  decode(request: DecodeRequest): DecodeAnswer;
  /**
   * Reads a core dump. Rejects with a `CoreFailure` if it is unreadable.
   * @param id Chosen by the caller, never reused.
   */
  openDump(id: number, file: Blob): void;
  closeDump(id: number): void;
  /** Looks for crashes and restarts in the text of a log. Finds none in other files. */
  readLog(file: Blob): LogAnswer;
  dumpContent(id: number): DumpContent;
  report(request: ReportRequest): ReportAnswer;
  /** Reports on the state that a panic printed; null if it printed none, or if no file matches the build. */
  logReport(request: LogReportRequest): ReportAnswer | null;
  /** Returns a fingerprint that distinguishes crashes; null if the files do not know its functions. */
  fingerprint(request: ReportRequest): string | null;
  /** Returns the dump as an ELF core file. */
  coreFile(dump: number): Uint8Array;
}

export interface SymbolTick {
  /** By file id: the fraction that has been read, 0 to 1, during the reading. */
  readonly progress: Readonly<Record<number, number>>;
}
