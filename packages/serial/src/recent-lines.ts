/** The newest lines of a port with their bytes, for a reader that joins later. */
import type { LineChannel } from './line-channel.ts';

/** A line as it passed a port. */
export interface PassedLine {
  readonly direction: 'received' | 'sent';
  /** Number of the line on the timeline of its own bench. */
  readonly sequence: number;
  /** Arrival of the first byte, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** A copy, line ending included. */
  readonly bytes: Uint8Array;
  /** True: more bytes of this line may follow. */
  readonly isOpen: boolean;
}

export interface RecentLinesOptions {
  /** Maximum number of lines. */
  readonly lines: number;
  /** Maximum bytes of all lines together. */
  readonly bytes: number;
  /** Number of the newest bytes of each direction to leave out. */
  readonly without: Readonly<Record<PassedLine['direction'], number>>;
}

interface Place {
  readonly channel: LineChannel;
  readonly direction: PassedLine['direction'];
  /** Offset after the newest byte that is read. */
  readonly end: number;
  /** Ordinal of the next line, counted downwards. */
  line: number;
}

/**
 * Returns the newest lines of both channels in order, oldest first. A line longer than the limit for bytes is
 * shortened to its end.
 */
export function recentLines(channels: readonly LineChannel[], options: RecentLinesOptions): PassedLine[] {
  const places = channels.map((channel): Place => {
    const direction = channel.identity.direction === 'sent' ? 'sent' : 'received';
    return { channel, direction, line: channel.endLine - 1, end: channel.ring.end - options.without[direction] };
  });
  const found: PassedLine[] = [];
  let room = options.bytes;
  while (found.length < options.lines && room > 0) {
    const newest = newestOf(places);
    if (newest === null) {
      break;
    }
    const { channel, direction, line } = newest;
    const to = Math.min(channel.endOf(line), newest.end);
    const from = found.length === 0 ? Math.max(channel.startOf(line), to - room) : channel.startOf(line);
    if (to - from > room) {
      break;
    }
    found.push({
      direction,
      sequence: channel.sequenceOf(line),
      at: channel.timeOf(line),
      bytes: channel.ring.view(from, to).slice(),
      isOpen: channel.isOpen(line) || to < channel.endOf(line),
    });
    room -= to - from;
    newest.line--;
  }
  return found.reverse();
}

/** Returns the place with the newest line; null if no line is left. Skips lines without bytes to read. */
function newestOf(places: readonly Place[]): Place | null {
  let newest: Place | null = null;
  let highest = -1;
  for (const place of places) {
    const { channel, end } = place;
    while (place.line >= channel.firstLine && channel.startOf(place.line) >= end) {
      place.line--;
    }
    if (place.line >= channel.firstLine && channel.sequenceOf(place.line) > highest) {
      newest = place;
      highest = channel.sequenceOf(place.line);
    }
  }
  return newest;
}
