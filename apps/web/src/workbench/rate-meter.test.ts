import { describe, expect, it } from 'vitest';
import { RateMeter } from './bench-status.ts';

describe('rate meter', () => {
  it('averages over the last second', () => {
    const meter = new RateMeter();
    for (let at = 0; at <= 3_000; at += 250) {
      meter.sample(at * 4, at);
    }
    expect(meter.rate.now).toBe(4_000);
  });

  it('falls to nothing within a second after the last byte, and keeps the peak', () => {
    const meter = new RateMeter();
    meter.sample(0, 0);
    meter.sample(5_000, 1_000);
    expect(meter.rate).toEqual({ now: 5_000, peak: 5_000 });
    meter.sample(5_000, 1_500);
    meter.sample(5_000, 2_500);
    meter.sample(5_000, 3_500);
    expect(meter.rate).toEqual({ now: 0, peak: 5_000 });
  });

  it('does not blow a short burst up to a rate that never was', () => {
    const meter = new RateMeter();
    meter.sample(0, 0);
    expect(meter.sample(300, 20).now).toBe(300);
  });

  it('starts over when the counter does', () => {
    const meter = new RateMeter();
    meter.sample(0, 0);
    meter.sample(9_000, 1_000);
    meter.sample(0, 2_000);
    expect(meter.sample(10, 3_000)).toEqual({ now: 10, peak: 10 });
  });

  it('gives the same object as long as nothing changes', () => {
    const meter = new RateMeter();
    meter.sample(7, 0);
    meter.sample(7, 1_000);
    const before = meter.rate;
    meter.sample(7, 2_000);
    expect(meter.rate).toBe(before);
  });
});
