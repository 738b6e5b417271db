import { VirtualClock } from '@wirebench/clock';
import { Bench } from '@wirebench/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineFrom } from './row-worker.ts';

describe('line of a time', () => {
  it('is the first one that arrived then or later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { maxLength: 30 }), fc.nat({ max: 80 }), async (pauses, after) => {
        const clock = new VirtualClock(1_000);
        const bench = new Bench({ clock });
        const times: number[] = [];
        for (const pause of pauses) {
          await clock.advance(pause);
          bench.notice('info', 'x', null);
          times.push(clock.now());
        }
        const index = times.findIndex((time) => time >= 1_000 + after);
        expect(lineFrom(bench, 1_000 + after)).toBe(index < 0 ? null : index);
        await bench.dispose();
      }),
    );
  });
});
