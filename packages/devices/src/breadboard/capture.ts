/** A bounded recording of the edges of a net. */
import type { Level, Net } from './net.ts';

interface Edge {
  /** Milliseconds of the board's clock. */
  readonly time: number;
  readonly level: Level;
}

export interface Capture {
  /** The level before the first kept edge. */
  readonly before: Level;
  /** Number of oldest edges dropped because of the limit. */
  readonly dropped: number;
  /** Returns all kept edges up to now, in order. */
  edges(): readonly Edge[];
  stop(): void;
}

export function startCapture(net: Net, now: () => number, limit: number): Capture {
  let kept: Edge[] = [];
  let dropped = 0;
  let before = net.level(now());
  const trim = () => {
    const excess = kept.length - limit;
    if (excess > 0) {
      before = kept[excess - 1]?.level ?? before;
      kept = kept.slice(excess);
      dropped += excess;
    }
  };
  const end = net.listen(now(), (time, level) => {
    kept.push({ time, level });
    if (kept.length >= limit * 2) {
      trim();
    }
  });
  let stopped = false;
  return {
    get before() {
      return before;
    },
    get dropped() {
      return dropped;
    },
    edges: () => {
      if (!stopped) {
        net.settle(now());
      }
      trim();
      return kept;
    },
    stop: () => {
      net.settle(now());
      stopped = true;
      end();
    },
  };
}
