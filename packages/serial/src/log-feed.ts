/**
 * Feeds the lines of chosen ports to a recording, in the format of the text export and in order of arrival. A line is
 * fed once it has an end. An open line holds back the later ones for a moment only, because a prompt may stay open for
 * hours.
 */
import type { Clock } from '@wirebench/clock';
import { textLine } from './export-text.ts';
import type { LineChannel } from './line-channel.ts';
import { formatLines, type LinePosition, type TextExportOptions } from './log-lines.ts';
import type { PortNumber } from './port-number.ts';
import { linePort } from './row-page.ts';

/** Age of an open line from which later lines pass it, in milliseconds. */
const openLineWait = 1_000;

export interface LogFeedOptions extends Pick<TextExportOptions, 'portNames'> {
  /** Notices about other ports are left out. Those of no port are kept. */
  readonly ports: readonly PortNumber[];
}

interface Cursor {
  readonly channel: LineChannel;
  /** Ordinal of the line to feed next, and the offset up to which bytes were fed. */
  next: number;
  offset: number;
}

export class LogFeed {
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #options: LogFeedOptions;
  readonly #cursors: readonly Cursor[];

  /**
   * Begins with the lines that come from now on, and the lines that are still open.
   *
   * @param channels Channels of the chosen ports, and the notices.
   */
  constructor(clock: Pick<Clock, 'wallTime'>, channels: readonly LineChannel[], options: LogFeedOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#cursors = channels.map((channel) => ({ channel, next: endedLines(channel), offset: endedBytes(channel) }));
  }

  /**
   * Yields new lines as UTF-8 text. Each chunk ends with a line break.
   *
   * @param open `wait`: leave open lines for a later call. `take`: feed them as they are, because the feed ends here or
   *   the lines are about to be cleared.
   */
  read(open: 'wait' | 'take'): Generator<Uint8Array<ArrayBuffer>, void> {
    return formatLines(this.#places(open), this.#options, '', textLine);
  }

  *#places(open: 'wait' | 'take'): Generator<LinePosition, void> {
    const passed = new Set<Cursor>();
    for (;;) {
      let first: Cursor | null = null;
      let lowest = Number.POSITIVE_INFINITY;
      for (const cursor of this.#cursors) {
        const { channel } = cursor;
        if (channel.isOfOlderCut(cursor.next)) {
          // Nothing is recorded twice because it was cut again. The frame that is half fed comes as a whole.
          cursor.next = channel.lineEndingAfter(cursor.offset);
        }
        cursor.next = channel.afterEarlier(Math.max(cursor.next, channel.firstLine));
        if (cursor.next < channel.endLine && !passed.has(cursor)) {
          const sequence = channel.sequenceOf(cursor.next);
          if (sequence < lowest) {
            lowest = sequence;
            first = cursor;
          }
        }
      }
      if (first === null) {
        return;
      }
      const { channel, next: line } = first;
      if (open === 'wait' && channel.isOpen(line)) {
        if (this.#clock.wallTime() - channel.timeOf(line) < openLineWait) {
          return;
        }
        passed.add(first);
        continue;
      }
      first.next++;
      first.offset = channel.endOf(line);
      if (this.#isChosen(channel, line)) {
        yield { channel, line };
      }
    }
  }

  #isChosen(channel: LineChannel, line: number): boolean {
    const port = linePort(channel, line);
    return port === null || this.#options.ports.includes(port);
  }
}

function endedBytes(channel: LineChannel): number {
  const ended = endedLines(channel);
  return ended < channel.endLine ? channel.startOf(ended) : channel.ring.end;
}

/** Returns the ordinal after the newest line that has an end. */
function endedLines(channel: LineChannel): number {
  const { endLine, lines } = channel;
  return lines > 0 && channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
}
