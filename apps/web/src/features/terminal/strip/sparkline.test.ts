import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ActivityBins, binCount, binTime } from './sparkline.tsx';

const start = 1_700_000_000_000;
const sum = (bins: Float64Array) => bins.reduce((all, bytes) => all + bytes, 0);

describe('activity bins', () => {
  it('hold what came in each stretch, the newest last', () => {
    const bins = new ActivityBins();
    bins.count(100, start);
    bins.count(150, start + binTime);
    bins.count(150, start + 2 * binTime);
    bins.count(157, start + 3 * binTime);
    expect([...bins.read(start + 3 * binTime).slice(-5)]).toEqual([0, 100, 50, 0, 7]);
  });

  it('forget what is older than a minute', () => {
    const bins = new ActivityBins();
    bins.count(100, start);
    expect(bins.read(start + (binCount - 1) * binTime)[0]).toBe(100);
    expect(sum(bins.read(start + binCount * binTime))).toBe(0);
    bins.count(101, start + 100 * binCount * binTime);
    expect(sum(bins.read(start + 100 * binCount * binTime))).toBe(1);
  });

  it('count on when the port is opened again', () => {
    const bins = new ActivityBins();
    bins.count(1_000, start);
    bins.count(30, start);
    expect(sum(bins.read(start))).toBe(1_030);
  });

  it('lose no byte of the last minute', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 1_000 })), { maxLength: 100 }), (events) => {
        const bins = new ActivityBins();
        let now = start;
        let received = 0;
        for (const [pause, bytes] of events) {
          now += pause;
          received += bytes;
          bins.count(received, now);
        }
        expect(sum(bins.read(now))).toBe(received);
      }),
    );
  });
});
