/** Decides once for a log whether its lines are bytes in hex digits, so that every decoder reads it in the same way. */
import type { HexLineCount } from '../hex-line.ts';
import type { LogForm } from './log-lines-reader.ts';
import { portBytesOfPiece } from './log-piece.ts';
import { type LogSource, LogStream } from './log-stream.ts';

/** Bytes of a log that are looked at. More lines hardly change what most of them are. */
const LOOKED_AT = 8 << 20;

/**
 * Returns true if most lines of a log are pairs of hex digits. Rejects if the log cannot be read.
 *
 * @param count A new one of the bench, whose code is loaded once.
 */
export async function isHexLog(source: LogSource, form: LogForm, count: HexLineCount): Promise<boolean> {
  if (form.encoding === 'bytes') {
    return false;
  }
  const stream = new LogStream(source, form);
  for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
    for (const piece of pieces) {
      if (piece.direction !== 'notice') {
        count.add(portBytesOfPiece(piece));
      }
    }
    // Text is known as such by its first part.
    if (!count.isHexLog || stream.at >= LOOKED_AT) {
      break;
    }
  }
  return count.isHexLog;
}
