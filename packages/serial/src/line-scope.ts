/** Which lines of a channel count: by channel, port, direction and level. What has to stand in them: `line-matcher.ts`. */

import type { ChannelIdentity } from './channel-name.ts';
import { blockOf } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { allOf, type LineMatcher } from './line-matcher.ts';
import type { LineScope } from './line-query.ts';
import { afterSequences, levelLetters, logPrefix } from './log-prefix.ts';
import { noticeLevelOf, noticePortOf } from './notice-flags.ts';
import type { NoticeLevel } from './timeline-rows.ts';

/** `none` and `all` of a channel's lines, or those that the matcher finds. */
export function scopeOf(identity: ChannelIdentity, scope: LineScope): 'none' | 'all' | LineMatcher {
  const { channels, ports, directions, levels } = scope;
  const { name, port, direction } = identity;
  if ((channels && !channels.includes(name)) || (directions && !directions.includes(direction))) {
    return 'none';
  }
  if (direction === 'notice') {
    return ports === undefined && levels === undefined ? 'all' : new NoticeMatcher(scope);
  }
  if (ports && (port === null || !ports.includes(port))) {
    return 'none';
  }
  if (levels === undefined) {
    return 'all';
  }
  return direction === 'received' ? new LogLevelMatcher(levels) : 'none';
}

/** What both find; `all` finds everything. */
export function within(scope: 'all' | LineMatcher, matcher: LineMatcher | null): 'all' | LineMatcher {
  if (matcher === null) {
    return scope;
  }
  return scope === 'all' ? matcher : allOf([scope, matcher]);
}

class NoticeMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #scope: LineScope;

  constructor(scope: LineScope) {
    this.#scope = scope;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const { ports, levels } = this.#scope;
    return linesWhere(from, to, (line) => {
      const flags = channel.flagsOf(line);
      const port = noticePortOf(flags);
      return (
        (ports === undefined || (port !== null && ports.includes(port))) &&
        (levels === undefined || levels.includes(noticeLevelOf(flags)))
      );
    });
  }
}

class LogLevelMatcher implements LineMatcher {
  readonly lookahead = 0;
  /** First bytes of the lines that are looked at: most lines of a log are of another level. */
  readonly #letters: ReadonlySet<number | undefined>;

  constructor(levels: readonly NoticeLevel[]) {
    this.#letters = new Set(levels.flatMap((level) => levelLetters[level] ?? []));
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to) {
      return [];
    }
    const block = blockOf(channel, from, to);
    const { bytes } = block;
    return linesWhere(from, to, (line) => {
      const start = block.startOf(line);
      const end = block.endOf(line);
      return this.#letters.has(bytes[afterSequences(bytes, start, end)]) && logPrefix(bytes, start, end) !== null;
    });
  }
}

function linesWhere(from: number, to: number, holds: (line: number) => boolean): number[] {
  const lines: number[] = [];
  for (let line = from; line < to; line++) {
    if (holds(line)) {
      lines.push(line);
    }
  }
  return lines;
}
