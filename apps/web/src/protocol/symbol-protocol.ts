/**
 * Protocol between the page and the thread that reads ELF files and core dumps. Everything here can be cloned between
 * threads.
 */
import type { CrashReport, Frame, Machine, PanicAddress } from '@wirebench/symbols';
import type { CodeRange, Incident, IncidentLine } from './incident.ts';

/** Facts of an open ELF file. */
export interface SymbolFacts {
  readonly machine: Machine;
  /** SHA-256 of the file, by which a board names its build; null where the browser does not work it out (plain http). */
  readonly hash: string | null;
  /** Code of the program: addresses from `low` up to, and without, `high`. */
  readonly codeRanges: readonly CodeRange[];
  /** Units whose debug information is damaged, and left out. */
  readonly damagedUnits: number;
}

export interface DecodeRequest {
  /** The files to look in, in this order; the one that ran comes first by itself. */
  readonly files: readonly number[];
  readonly addresses: readonly PanicAddress[];
  /** First digits of the SHA-256 of what ran; null when that is not known. */
  readonly build: string | null;
}

/** Comparison of a file with the running build. `unknown`: the board did not name its build. */
export type BuildMatch = 'same' | 'other' | 'unknown';

export interface DecodeAnswer {
  /** For each address of the request; null for one that is no code in any of the files. */
  readonly places: readonly (DecodedPlace | null)[];
  readonly matches: Readonly<Record<number, BuildMatch>>;
}

export interface DecodedPlace {
  /** Id of the file that named the place. */
  readonly file: number;
  /** The innermost inlined call first, the function that was really called last; never empty. */
  readonly frames: readonly Frame[];
}

export interface ReportRequest {
  readonly dump: number;
  /** The files to look in; the one that the dump names is taken, else the last one of its processor. */
  readonly files: readonly number[];
}

export interface LogReportRequest {
  /** Lines of one crash. */
  readonly lines: readonly IncidentLine[];
  readonly files: readonly number[];
  /** First digits of the SHA-256 of what ran; null when that is not known. */
  readonly build: string | null;
}

export interface ReportAnswer {
  readonly report: CrashReport;
  /** The file that was used; null for a report without functions. */
  readonly file: number | null;
  /** Comparison with the running build. */
  readonly match: BuildMatch;
  /** Open files of another build than the one that the dump names: they are not used. */
  readonly otherBuilds: readonly number[];
}

/** Bytes of an opened core dump, without the text around it. */
export interface DumpContent {
  /** In bytes. */
  readonly size: number;
  /** To tell dumps apart. */
  readonly hash: string;
  /** Null for more than can be sent to anybody. */
  readonly bytes: Uint8Array | null;
}

export interface SymbolApi {
  /** Reads the file. Refused with a `SymbolFailure` when it cannot serve. @param id the caller's own, never used twice. */
  open(id: number, file: File): SymbolFacts;
  /** Releases the file and stops reading it. */
  close(id: number): void;
  decode(request: DecodeRequest): DecodeAnswer;
  /** Reads a core dump. Refused with a `CoreFailure` when it cannot be read. @param id the caller's own, never used twice. */
  openDump(id: number, file: Blob): void;
  closeDump(id: number): void;
  /** Crashes and restarts in the text of a log, the newest first; empty for other files. */
  readLog(file: Blob): readonly Incident[];
  dumpContent(id: number): DumpContent;
  report(request: ReportRequest): ReportAnswer;
  /** Reports on the state that a panic printed; null if it printed none, or if no file matches the build. */
  logReport(request: LogReportRequest): ReportAnswer | null;
  /** Returns a fingerprint that distinguishes crashes; null if the files do not know its functions. */
  fingerprint(request: ReportRequest): string | null;
  /** The dump as an ELF core file. */
  coreFile(dump: number): Uint8Array;
}

export interface SymbolTick {
  /** The fraction of each file that has been read, 0 to 1, while it is being read. */
  readonly progress: Readonly<Record<number, number>>;
}
