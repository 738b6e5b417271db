/** Rows of the timeline as a console asks for them: a question in rows of the screen, an answer in bytes and facts. */
import type { ChannelName } from './channel-name.ts';
import type { Span } from './expression/spans.ts';
import type { FrameFault } from './framing/splitter.ts';
import type { PortNumber } from './port-settings.ts';

/** `text`: one row a line. `hex`: one row for each 16 bytes of a line, at least one. */
export type RowLayout = 'text' | 'hex';

export type NoticeLevel = 'info' | 'success' | 'warning' | 'error';

/**
 * Where the asked rows begin: at a row's position, so that the newest row is the last one, or at a row already seen, so that
 * the page stays where it is while lines come and go. What lies before the oldest row is moved there; after the newest row
 * a page has fewer rows. Of a line that is gone the next one that is held takes the place.
 */
export type RowAnchor =
  /** Rows before it, counted from the oldest row held. */
  | { readonly position: number }
  /** The last rows. */
  | 'tail'
  | {
      readonly sequence: number;
      /** Row within the line; the last one of the line when it has fewer. */
      readonly part: number;
      /** Rows from there on, may be negative. */
      readonly offset: number;
    };

export interface RowQuery {
  readonly layout: RowLayout;
  readonly anchor: RowAnchor;
  readonly count: number;
  /** Only the lines of these channels; all of them when left out. Positions and totals count what is chosen. */
  readonly channels?: readonly ChannelName[];
}

export interface Row {
  /** Number of the line in order of arrival, over all ports; never used twice, and never in another order. */
  readonly sequence: number;
  /** Row within the line: 0 in the text layout, the offset in bytes divided by 16 in the hex layout. */
  readonly part: number;
  /** Null for a notice that belongs to no port. */
  readonly port: PortNumber | null;
  readonly direction: 'received' | 'sent' | 'notice';
  /** Of a notice; null otherwise. */
  readonly level: NoticeLevel | null;
  /** Arrival of the line's first byte, in milliseconds since the Unix epoch. */
  readonly at: number;
  /**
   * Text layout: the line without its line ending; of one that is longer than `maxRowBytes` its beginning, or its end where
   * a progress bar wrote it over with `\r`. Hex layout: these 16 bytes, line ending included.
   */
  readonly bytes: Uint8Array;
  /** Bytes of the whole line as it is shown, line ending included. */
  readonly lineLength: number;
  /** The line ending; empty for a line without one. */
  readonly ending: Uint8Array;
  /** The line has no end yet. */
  readonly open: boolean;
  /** What is wrong with the frame that the line is; left out when nothing is. */
  readonly fault?: FrameFault;
  /** Text layout: how many of the first bytes end a control string of the line before; left out for none. */
  readonly stringTail?: number;
  /** Hex layout, where marks were asked for: which of these bytes belong to what is looked for. */
  readonly marks?: readonly Span[];
}

export interface RowPage {
  /** Position of the first row given, counted from the oldest row held. */
  readonly first: number;
  /** Rows held in this layout. */
  readonly total: number;
  readonly rows: readonly Row[];
}

/** The most bytes of one line that a row carries: a longer line is cut on the screen, never in the store or an export. */
export const maxRowBytes = 4_096;
