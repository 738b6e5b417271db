/** Work on the files of a MicroPython board, between page and worker. All values can be cloned. */
import type { PortNumber } from '@wirebench/serial';
import type { BoardEntry, BoardSpace } from '@wirebench/serial/micropython';
import { type BenchPart, portFact } from './fact.ts';

export interface BoardFile {
  /** Absolute, such as `/lib/a.py`. */
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Makes the folders, then writes the files. Missing folders of files are made. */
interface WriteJob {
  readonly kind: 'write';
  readonly files: readonly BoardFile[];
  readonly folders: readonly string[];
  /**
   * SHA-256 in hexadecimal that the board's file must have to be written over, by path; null: it must not be there. Missing:
   * files are written over whatever they are.
   */
  readonly expected?: Readonly<Record<string, string | null>>;
}

export type BoardJob =
  | { readonly kind: 'list' }
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'hash'; readonly paths: readonly string[] }
  | WriteJob
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** Folders are removed with everything in them. */
  | { readonly kind: 'remove'; readonly paths: readonly string[] }
  | { readonly kind: 'make-folder'; readonly path: string }
  /** Runs code with its output in the log, until it ends or the ticket ends it. */
  | { readonly kind: 'run'; readonly name: string; readonly code: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'soft-reset' };

export interface BoardTree {
  /** Name of the system, such as `micropython 1.27.0; esp32`. */
  readonly system: string;
  /** Folders come before their contents. */
  readonly entries: readonly BoardEntry[];
  /** Null: the board does not know it. */
  readonly space: BoardSpace | null;
  /** True: the board calculates SHA-256. False: files are read back to be compared. */
  readonly canHash: boolean;
}

interface BoardFailureReport {
  /** Code of a `BoardError`. */
  readonly code: string;
  /** A whole sentence. */
  readonly message: string;
}

/** Answer to a job. Lists of what was not asked for are empty. */
export interface BoardAnswer {
  /** Files after the job; null if they did not change, and if the board could not be asked. */
  readonly tree: BoardTree | null;
  /** Files that were read, each equal to its hash on the board. */
  readonly files: readonly BoardFile[];
  /** SHA-256 in hexadecimal by path, of files that were read, hashed or written. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Files that were written and verified, in this order. */
  readonly written: readonly string[];
  /** Files that were not written, because the board has another version than the expected one. */
  readonly changed: readonly string[];
  /** Files whose old version was deleted before the new one got its name, because the board cannot rename over it. */
  readonly removedFirst: readonly string[];
  /** Null: everything was done. */
  readonly failure: BoardFailureReport | null;
}

export interface BoardProgress {
  readonly kind: BoardJob['kind'];
  /** File that is worked on; empty between files. */
  readonly path: string;
  /** Bytes or entries that are done. */
  readonly done: number;
  /** Null: not known. */
  readonly total: number | null;
}

/** A port as the board tool sees it. */
export interface BoardStatus {
  /** First line of the banner that the board printed, such as `MicroPython v1.27.0 on …`; null without one. */
  readonly banner: string | null;
  /** True: the newest received bytes are a prompt of Python. */
  readonly isAtPrompt: boolean;
  readonly job: BoardProgress | null;
  /** True: a job has interrupted the board's program, and no soft reset has started it again. */
  readonly isStopped: boolean;
}

/** Calls for the files of a board. */
export interface BoardCalls {
  /**
   * Does a job on the board of a port in its raw REPL. Rejects if the port is not free; a failure of the board is part of
   * the answer. The tick contains the progress. The ticket stops the job.
   *
   * @param mayInterrupt True: the user agreed to interrupt the board's program.
   */
  boardJob(port: PortNumber, job: BoardJob, mayInterrupt: boolean, ticket: number): BoardAnswer;
}

export const idleBoard: BoardStatus = { banner: null, isAtPrompt: false, job: null, isStopped: false };

export const boardFilesPart = {
  quiet: [],
  facts: { boards: portFact(idleBoard, ['job']) },
} satisfies BenchPart<BoardCalls>;
