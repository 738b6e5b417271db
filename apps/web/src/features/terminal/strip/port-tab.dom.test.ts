import { type Clock, VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { LedLight } from './port-tab.tsx';

function lamp(steady = false) {
  const clock = new VirtualClock();
  const blinks: { on: number; off: number | null }[] = [];
  const light = new LedLight(
    clock,
    (lit) => {
      if (lit) {
        blinks.push({ on: clock.now(), off: null });
      } else {
        const last = blinks.at(-1);
        if (last) {
          last.off = clock.now();
        }
      }
    },
    steady,
  );
  return { clock, light, blinks };
}

describe('LED light', () => {
  it('blinks for 0.3 s when a byte passes', async () => {
    const { clock, light, blinks } = lamp();
    light.signal();
    await clock.advance(1_000);
    expect(blinks).toEqual([{ on: 0, off: 300 }]);
    expect(clock.pending).toBe(0);
  });

  it('blinks at most three times a second however fast the traffic is', async () => {
    const { clock, light, blinks } = lamp();
    for (let at = 0; at < 10_000; at += 5) {
      light.signal();
      await clock.advance(5);
    }
    expect(blinks.length).toBeGreaterThan(20);
    for (const [index, { on }] of blinks.entries()) {
      const withinOneSecond = blinks.slice(index).filter((later) => later.on < on + 1_000);
      expect(withinOneSecond.length).toBeLessThanOrEqual(3);
    }
  });

  it('answers to a byte that came while it was on', async () => {
    const { clock, light, blinks } = lamp();
    light.signal();
    await clock.advance(50);
    light.signal();
    await clock.advance(1_000);
    expect(blinks).toEqual([
      { on: 0, off: 300 },
      { on: 400, off: 700 },
    ]);
  });

  it('changes in step with other lights', async () => {
    const { clock, light, blinks } = lamp();
    await clock.advance(12);
    light.signal();
    await clock.advance(1_000);
    expect(blinks).toEqual([{ on: 100, off: 400 }]);
  });

  it('comes back in step after a timer that fired late', async () => {
    const clock = new VirtualClock();
    const late: Clock = {
      now: () => clock.now() + 7,
      wallTime: () => clock.wallTime() + 7,
      schedule: (delay, callback) => clock.schedule(delay, callback),
      sleep: (delay, signal) => clock.sleep(delay, signal),
    };
    const changes: number[] = [];
    const light = new LedLight(late, () => changes.push(clock.now() + 7));
    for (let at = 0; at < 3_000; at += 5) {
      light.signal();
      await clock.advance(5);
    }
    light.dispose();
    expect(changes.length).toBeGreaterThan(10);
    expect(new Set(changes.map((at) => at % 100))).toEqual(new Set([0]));
  });

  it('stays on as long as there is traffic for those who want nothing to move', async () => {
    const { clock, light, blinks } = lamp(true);
    for (let at = 0; at < 5_000; at += 100) {
      light.signal();
      await clock.advance(100);
    }
    await clock.advance(1_000);
    expect(blinks).toHaveLength(1);
    expect(blinks[0]?.off).toBeGreaterThanOrEqual(5_000);
  });

  it('leaves no timer behind', () => {
    const { clock, light } = lamp();
    light.signal();
    light.dispose();
    expect(clock.pending).toBe(0);
  });
});
