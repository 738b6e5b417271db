/** The edges of a net while somebody listens, bounded. */
import type { Level, Net } from './net.ts';

interface Edge {
  /** Milliseconds of the board's clock. */
  readonly time: number;
  readonly level: Level;
}

export interface Capture {
  /** The level before the first edge that is kept. */
  readonly before: Level;
  /** Edges that were dropped because there were more than the limit. */
  readonly dropped: number;
  /** All edges up to now that are kept, in order. */
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
