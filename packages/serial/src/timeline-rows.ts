/**
 * Queries and rows of the timeline for a console. A query counts in rows of the screen; the result has bytes and
 * facts.
 */
import type { ChannelName } from './channel-name.ts';
import type { Span } from './expression/spans.ts';
import type { FrameFault } from './framing/splitter.ts';
import type { PortNumber } from './port-number.ts';

/** `text`: one row per line, and one for every 512 bytes of a plain line without an end. `hex`: one row for each 16 bytes of a line, at least one; one for a notice. */
export type RowLayout = 'text' | 'hex';

export type NoticeLevel = 'info' | 'success' | 'warning' | 'error';

/** Subject of a notice that is shown and picked by it. `build`: a build that is written by itself. */
export type NoticeKind = 'build';

/**
 * Start of the queried rows: a position, the tail, or a row already seen. With a row already seen the page stays in
 * place while lines come and go. A start before the oldest row is moved to it; near the newest row a page has fewer
 * rows. A dropped line is replaced by the next one that is held.
 */
export type RowAnchor =
  /** Number of rows before the start, counted from the oldest row held. */
  | { readonly position: number }
  /** The last rows. */
  | 'tail'
  | {
      readonly sequence: number;
      /** Row within the line; the line's last row if it has fewer. */
      readonly part: number;
      /** Rows from there on; may be negative. */
      readonly offset: number;
    };

export interface RowQuery {
  readonly layout: RowLayout;
  readonly anchor: RowAnchor;
  readonly count: number;
  /** Channels to show; omitted: all. Positions and totals count only their lines. */
  readonly channels?: readonly ChannelName[];
  /** Text layout: sequence numbers of lines that are cut at `maxWholeBytes` instead of `maxRowBytes`. */
  readonly whole?: readonly number[];
  /**
   * Text layout, true: a sent line that the board has echoed behind its prompt is left out, and the row of the echo
   * has `echo`. Ignored with a filter that picks lines, and with `controls`.
   */
  readonly joinsEchoes?: boolean;
  /** Text layout, true: the caller writes out every control byte, so every line stays. Default: false. */
  readonly controls?: boolean;
}

export interface Row {
  /** Number of the line in order of arrival, over all ports. It is unique and never reordered. */
  readonly sequence: number;
  /** Row within the line: the byte offset divided by 16 in the hex layout; 0 in the text layout unless `isPiece`. */
  readonly part: number;
  /** Null for a notice that belongs to no port. */
  readonly port: PortNumber | null;
  readonly direction: 'received' | 'sent' | 'notice';
  /** Level of a notice; null for other lines. */
  readonly level: NoticeLevel | null;
  /** Present for a notice that has a kind. */
  readonly kind?: NoticeKind;
  /** Arrival of the line's first byte, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Present for a line of an opened log without a time: the time of the nearest line above that has one. */
  readonly blockAt?: number;
  /**
   * Text layout: the line without its line ending. A line longer than `maxRowBytes` is cut to its beginning, or to
   * its end if a progress bar has overwritten it with `\r`. Hex layout: these 16 bytes, line ending included.
   */
  readonly bytes: Uint8Array;
  /** Bytes of the whole line as it is shown, line ending included. */
  readonly lineLength: number;
  /** The line ending; empty for a line without one. */
  readonly ending: Uint8Array;
  /** True: the line has no end yet. */
  readonly open: boolean;
  /** Fault of the line's frame; omitted for a valid one. */
  readonly fault?: FrameFault;
  /** Text layout: number of first bytes that end a control string of the previous line; omitted: 0. */
  readonly stringTail?: number;
  /** Hex layout, if marks were requested: ranges of these bytes that match. */
  readonly marks?: readonly Span[];
  /** Text layout, true: one of the rows of a long line without an end. Its last row may still grow. */
  readonly isPiece?: boolean;
  /** Present if the row also stands for the sent line that it echoes. */
  readonly echo?: Echo;
}

/** A command that stands in the line of its prompt. Lines are given by sequence numbers. */
export interface Echo {
  /** The received line: the prompt and the echo. */
  readonly received: number;
  /** The sent line that it repeats. */
  readonly sent: number;
  /** Time of the sent line, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Length of the prompt in the shown text, in UTF-16 units. */
  readonly prompt: number;
}

export interface RowPage {
  /** Position of the first returned row, counted from the oldest row held. */
  readonly first: number;
  /** Number of rows held in this layout. */
  readonly total: number;
  readonly rows: readonly Row[];
}

/** Most bytes of one line in a row. A longer line is cut on the screen, never in the store or an export. */
export const maxRowBytes = 4_096;

/** Bytes of each row of a line without an end. */
export const pieceBytes = 512;

/** Most bytes of a line in a row that was asked for as a whole. Terminal controls are read that far. */
export const maxWholeBytes = 65_536;
