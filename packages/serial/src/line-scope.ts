/** Which lines of a channel count: by channel, port, direction and level. What has to stand in them: `line-matcher.ts`. */
import type { ChannelIdentity, LineChannel } from './line-channel.ts';
import { allOf, type LineMatcher } from './line-matcher.ts';
import type { LineScope } from './line-query.ts';
import { logPrefix } from './log-prefix.ts';
import { noticeLevelOf, noticePortOf } from './notice-flags.ts';
import type { NoticeLevel } from './timeline-rows.ts';

/** Bytes of a line that can decide its level, colour, time and tag. */
const PREFIX_BYTES = 128;

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
  readonly #levels: readonly NoticeLevel[];

  constructor(levels: readonly NoticeLevel[]) {
    this.#levels = levels;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    return linesWhere(from, to, (line) => {
      const start = channel.startOf(line);
      const bytes = channel.ring.view(start, Math.min(channel.endOf(line), start + PREFIX_BYTES));
      const level = logPrefix(bytes, 0, bytes.length)?.level ?? null;
      return level !== null && this.#levels.includes(level);
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
