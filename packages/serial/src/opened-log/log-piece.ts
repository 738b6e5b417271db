/** A piece of a log's text. Apart from the reader of prefixes, which the bench does not need. */
import type { NoticeLevel } from '../timeline-rows.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of a log that belong together: a line, or for a log without prefixes all bytes of a slice. */
export interface LogPiece {
  readonly direction: 'received' | 'sent' | 'notice';
  /** Level of a notice; null for bytes. */
  readonly level: NoticeLevel | null;
  /** Milliseconds since the Unix epoch. NaN for a line without a time. */
  readonly at: number;
  /** Time of the nearest line above that has one. Only of use for a piece without a time. NaN: unknown. */
  readonly blockAt: number;
  /** Bytes that contain those of the piece from `from` up to `to`. A view of its own would cost more than its line. */
  readonly text: Bytes;
  readonly from: number;
  /** Offset after the line ending, if the log has one. */
  readonly to: number;
  /** Bytes at `from` that are the name of the line's port, in a log of several; missing: none. */
  readonly named?: number;
  /** True: the line ends here, whatever its bytes. */
  readonly isEnd: boolean;
}

/** Returns the bytes of a piece, with its line ending. */
export const bytesOfPiece = ({ text, from, to }: LogPiece): Bytes => text.subarray(from, to);

/** Returns the bytes of a piece as the port had them: without the name of the port in front. */
export const portBytesOfPiece = ({ text, from, to, named = 0 }: LogPiece): Bytes => text.subarray(from + named, to);
