/** The rows of the log: reading, copying, exporting and clearing them, and notices. */
import type { NoticeKind, NoticeLevel, PortNumber, RowQuery, RowRange } from '@wirebench/serial';
import type { AnsweredPage } from '../rows/painted-row.ts';
import { type BenchPart, type Fact, news, revision } from './fact.ts';
import type { PortNames } from './port-part.ts';

export type ExportRequest =
  /**
   * @property shownOnly True: without lines that the console hides. The export waits until the search has found them.
   */
  | { readonly kind: 'text' | 'csv'; readonly portNames: PortNames; readonly shownOnly?: boolean }
  /** Points of the plot, as CSV. */
  | { readonly kind: 'plot'; readonly portNames: PortNames }
  | { readonly kind: 'raw'; readonly port: PortNumber };

/** Rows as text. */
export interface CopiedRows {
  /** UTF-8, without a line break at the end. */
  readonly text: Blob;
  /** Number of rows. */
  readonly rows: number;
}

/**
 * Lines of a log that shows a part of all: those of one port, or all but those of one port. Lines of a port are received,
 * sent, and notices about it.
 */
export type LogPart = PortNumber | `without-${PortNumber}`;

/** Selection and format of a log's rows. */
export interface RowLook {
  /** Null or missing: all lines. */
  readonly pane?: LogPart | null;
  /** True: the text layout shows every control byte, including colours and overwritten text. */
  readonly controls?: boolean;
  /** Present: lines that a decoder has cut are shown as frames. */
  readonly frames?: FrameLook;
}

export interface FrameLook {
  /** Sequence number of the frame that is opened below its row; null: none. */
  readonly opened: number | null;
}

export interface SpokenNotice {
  readonly sequence: number;
  readonly level: NoticeLevel;
  readonly text: string;
}

/** Calls for rows of the log. */
export interface RowCalls {
  /**
   * Sets the bytes that are kept of each port's received data. Rejects without a change if there is not enough
   * memory.
   */
  resize(ringBytes: number): void;
  rows(query: RowQuery, look?: RowLook): AnsweredPage;
  /**
   * Returns the number of the first line that arrived at `at` or later, in milliseconds since the Unix epoch. Null
   * without one.
   */
  lineFrom(at: number): number | null;
  /**
   * Returns the rows as text, one a line, without hidden lines. The tick reports the progress, and the ticket cancels it:
   * then the call rejects. Rejects if the text is too large for a clipboard.
   */
  copyRows(range: RowRange, pane?: LogPart | null, ticket?: number): CopiedRows;
  /**
   * Returns the file's exact bytes. They stay in the browser until the page reads them. The tick contains the
   * progress. The ticket cancels the export, and the call then rejects.
   */
  exportFile(request: ExportRequest, ticket?: number): Blob;
  /**
   * Removes every line from the console. Later lines are stored and shown as usual. Returns true if `undoClear` would
   * now restore lines, those of an earlier clear included.
   */
  clear(): boolean;
  /** Undoes every `clear` of the last minute. Returns false if there was none, or if the time is over. */
  undoClear(): boolean;
  notice(level: NoticeLevel, text: string, port: PortNumber | null, kind?: NoticeKind): void;
}

export const rowPart = {
  quiet: ['rows', 'notice', 'resize'],
  facts: {
    /** Bytes of the running export so far; null without an export. */
    exported: { idle: null, counters: ['exported'] } as Fact<number | null>,
    /** Changes when the look of existing lines has changed. */
    lookRevision: revision,
    /** Notices since the previous tick, oldest first. */
    notices: news<readonly SpokenNotice[]>([]),
  },
} satisfies BenchPart<RowCalls>;
