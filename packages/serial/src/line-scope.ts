/**
 * Selects the lines of a channel by channel, port, direction, level and kind. Their content is matched in
 * `line-matcher.ts`.
 */

import type { ChannelIdentity } from './channel-name.ts';
import type { LineChannel } from './line-channel.ts';
import { allOf, type LineMatcher } from './line-matcher.ts';
import type { LineScope } from './line-query.ts';
import { firstBytesOf, logPrefix } from './log-prefix.ts';
import { noticeKindOf, noticeLevelOf, noticePortOf } from './notice-flags.ts';
import type { NoticeLevel } from './timeline-rows.ts';
import { VisibleLines } from './visible-lines.ts';

/** Returns `none` or `all` of a channel's lines, or a matcher of those in the scope. */
export function scopeOf(identity: ChannelIdentity, scope: LineScope): 'none' | 'all' | LineMatcher {
  const { channels, ports, directions, levels, noticeKind } = scope;
  const { name, port, direction } = identity;
  if (
    (channels && !channels.includes(name)) ||
    (directions && !directions.includes(direction)) ||
    (noticeKind && direction !== 'notice')
  ) {
    return 'none';
  }
  if (direction === 'notice') {
    return ports === undefined && levels === undefined && noticeKind === undefined ? 'all' : new NoticeMatcher(scope);
  }
  if (ports && (port === null || !ports.includes(port))) {
    return 'none';
  }
  if (levels === undefined) {
    return 'all';
  }
  return direction === 'received' ? new LogLevelMatcher(levels) : 'none';
}

/** Combines a scope and a matcher: the lines that both find. */
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
    const { ports, levels, noticeKind } = this.#scope;
    return linesWhere(from, to, (line) => {
      const flags = channel.flagsOf(line);
      const port = noticePortOf(flags);
      return (
        (ports === undefined || (port !== null && ports.includes(port))) &&
        (levels === undefined || levels.includes(noticeLevelOf(flags))) &&
        (noticeKind === undefined || noticeKind === noticeKindOf(flags))
      );
    });
  }
}

class LogLevelMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #levels: ReadonlySet<NoticeLevel | null>;
  /** First bytes of the lines that need to be parsed: most lines of a log have another level. */
  readonly #firstBytes: ReadonlySet<number | undefined>;

  constructor(levels: readonly NoticeLevel[]) {
    this.#levels = new Set(levels);
    this.#firstBytes = firstBytesOf(levels);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to) {
      return [];
    }
    const lines = new VisibleLines(channel, from, to);
    return linesWhere(from, to, (line) => {
      if (!lines.mayHaveControls && !this.#firstBytes.has(lines.firstByteOf(line))) {
        return false;
      }
      lines.read(line);
      const { bytes } = lines;
      if (!this.#firstBytes.has(bytes[lines.from])) {
        return false;
      }
      const prefix = logPrefix(bytes, lines.from, lines.to, lines.coloured);
      return prefix !== null && this.#levels.has(prefix.level);
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
