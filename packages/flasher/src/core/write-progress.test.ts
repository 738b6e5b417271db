import { VirtualClock } from '@wirebench/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { WriteProgress } from './write-progress.ts';

let clock: VirtualClock;
let reports: Parameters<ConstructorParameters<typeof WriteProgress>[2]>[0][];
let progress: WriteProgress;

beforeEach(() => {
  clock = new VirtualClock();
  reports = [];
  progress = new WriteProgress(clock, 1_000_000, (event) => reports.push(event));
  progress.enter('writing');
});

/** Writes at a speed in bytes per second, a tenth of a second at a time. */
async function write(speed: number, seconds: number, from = 0): Promise<number> {
  let done = from;
  for (let step = 0; step < seconds * 10; step++) {
    await clock.advance(100);
    done += speed / 10;
    progress.moving(done, speed / 10);
  }
  return done;
}

describe('progress of a write', () => {
  it('never decreases when a region is written again from its start', async () => {
    await write(10_000, 3);
    await write(10_000, 1);
    const done = reports.map((report) => report.done);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBe(30_000);
  });

  it('is never more than the whole', async () => {
    await write(400_000, 3);
    expect(reports.at(-1)).toMatchObject({ done: 1_000_000, total: 1_000_000, remaining: 0 });
  });

  it('shows the speed of the last two seconds, so that it follows a board that slows down', async () => {
    const done = await write(100_000, 5);
    expect(reports.at(-1)?.speed).toBe(100_000);
    await write(10_000, 1, done);
    // About half of the period at each speed.
    expect(reports.at(-1)?.speed).toBeGreaterThan(50_000);
    expect(reports.at(-1)?.speed).toBeLessThan(60_000);
    await write(10_000, 2, done + 10_000);
    expect(reports.at(-1)?.speed).toBeCloseTo(10_000, 0);
  });

  it('shows no speed before a quarter of a second, and the time that is left afterwards', async () => {
    progress.moving(0, 0);
    await clock.advance(240);
    progress.moving(2_400, 2_400);
    expect(reports.at(-1)).toMatchObject({ speed: null, remaining: null });
    await clock.advance(60);
    progress.moving(3_000, 600);
    expect(reports.at(-1)).toMatchObject({ speed: 10_000, remaining: 99_700 });
  });

  it('shows no speed while contents are compared', async () => {
    await write(10_000, 1);
    progress.enter('comparing');
    expect(reports.at(-1)).toMatchObject({ phase: 'comparing', speed: null, remaining: null });
  });

  it('is reported at most every 50 ms, but the end and each phase at once', async () => {
    progress = new WriteProgress(clock, 100, (event) => reports.push(event));
    reports = [];
    progress.moving(10, 10);
    await clock.advance(49);
    progress.moving(20, 10);
    expect(reports.map(({ done }) => done)).toEqual([10]);
    await clock.advance(1);
    progress.moving(30, 10);
    progress.settle(40);
    expect(reports.map(({ done }) => done)).toEqual([10, 30]);
    progress.settle(60);
    expect(reports.map(({ done }) => done)).toEqual([10, 30, 100]);
    progress.enter('writing');
    expect(reports).toHaveLength(4);
    progress.enter('writing');
    expect(reports).toHaveLength(4);
  });
});
