import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laneBin, laneBins, TrafficMeter } from './traffic-meter.ts';

const start = Date.UTC(2026, 10, 20, 13, 0, 0) + 37;

describe('traffic meter', () => {
  it('gives rate, peak and lane as counting all that ever passed would', () => {
    const events = fc.array(
      fc.record({
        after: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 3_000 }), fc.nat({ max: 90_000 })),
        bytes: fc.nat({ max: 5_000 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(events, fc.nat({ max: 70_000 }), (all, rest) => {
        const meter = new TrafficMeter();
        const passed: { at: number; bytes: number }[] = [];
        let now = start;
        for (const { after, bytes } of all) {
          now += after;
          meter.add(bytes, now);
          passed.push({ at: now, bytes });
        }
        now += rest;
        const bytesBetween = (from: number, to: number) =>
          passed.filter(({ at }) => at >= from && at < to).reduce((sum, { bytes }) => sum + bytes, 0);
        const tenth = (at: number) => Math.floor(at / 100) * 100;
        expect(meter.rate(now)).toBe(bytesBetween(tenth(now) - 1_000, tenth(now)));
        // The most bytes of any ended second that contains a read.
        const ends = passed.flatMap(({ at }) => Array.from({ length: 10 }, (_, turn) => tenth(at) + 100 * (turn + 1)));
        const seconds = ends.filter((end) => end <= tenth(now)).map((end) => bytesBetween(end - 1_000, end));
        expect(meter.peak(now)).toBe(Math.max(0, ...seconds));
        const lane = meter.lane(now);
        const first = (Math.floor(now / laneBin) - laneBins + 1) * laneBin;
        expect(lane.start).toBe(first);
        expect([...lane.bytes]).toEqual(
          Array.from({ length: laneBins }, (_, bin) =>
            bytesBetween(first + bin * laneBin, first + (bin + 1) * laneBin),
          ),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is empty before anything passed', () => {
    const meter = new TrafficMeter();
    expect(meter.rate(start)).toBe(0);
    expect(meter.peak(start)).toBe(0);
    expect(meter.lane(start).bytes.every((bytes) => bytes === 0)).toBe(true);
  });

  it('forgets its peak when told, not what passed', () => {
    const meter = new TrafficMeter();
    meter.add(500, start);
    expect(meter.peak(start + 200)).toBe(500);
    meter.resetPeak(start + 200);
    meter.add(20, start + 300);
    expect(meter.peak(start + 50_000)).toBe(20);
    expect(meter.lane(start + 50_000).bytes.reduce((sum, bytes) => sum + bytes)).toBe(520);
  });
});
