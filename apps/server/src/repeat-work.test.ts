import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { repeatWork } from './repeat-work.ts';

describe('repeated work', () => {
  it('runs before anything else, then repeatedly until it is disposed', async () => {
    const clock = new VirtualClock();
    let runs = 0;
    const repeated = await repeatWork({
      work: async () => void runs++,
      clock,
      interval: 1_000,
      onFailure: () => undefined,
    });
    expect(runs).toBe(1);
    await clock.advance(999);
    expect(runs).toBe(1);
    await clock.advance(2_001);
    expect(runs).toBe(4);
    await repeated[Symbol.asyncDispose]();
    await clock.advance(10_000);
    expect([runs, clock.pending]).toEqual([4, 0]);
  });

  it('continues after a failure and reports it', async () => {
    const clock = new VirtualClock();
    const failures: unknown[] = [];
    let runs = 0;
    await using _repeated = await repeatWork({
      work: async () => {
        runs++;
        if (runs < 3) {
          throw new Error(`failure ${runs}`);
        }
      },
      clock,
      interval: 1_000,
      onFailure: (error) => failures.push(error),
    });
    await clock.advance(5_000);
    expect([runs, failures.map(String)]).toEqual([6, ['Error: failure 1', 'Error: failure 2']]);
  });

  it('ends after the current run and starts no other', async () => {
    const clock = new VirtualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const repeated = await repeatWork({
      work: async () => {
        runs++;
        if (runs === 2) {
          await promise;
        }
      },
      clock,
      interval: 1_000,
      onFailure: () => undefined,
    });
    await clock.advance(1_000);
    let ended = false;
    const disposal = repeated[Symbol.asyncDispose]().then(() => {
      ended = true;
    });
    await clock.settle();
    expect([runs, ended]).toEqual([2, false]);
    resolve();
    await disposal;
    await clock.advance(5_000);
    expect([runs, clock.pending]).toEqual([2, 0]);
  });

  it('delays its caller no longer than its timeout, and still completes', async () => {
    const clock = new VirtualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const work = async () => {
      await promise;
      runs++;
    };
    const common = { work, clock, interval: 1_000, onFailure: () => undefined };
    await using _withoutWaiting = await repeatWork({ ...common, timeout: 0 });
    let isStarted = false;
    const starting = repeatWork({ ...common, timeout: 5_000 }).then((repeated) => {
      isStarted = true;
      return repeated;
    });
    await clock.advance(4_999);
    expect(isStarted).toBe(false);
    await clock.advance(1);
    await using _started = await starting;
    expect([runs, clock.pending]).toEqual([0, 0]);
    resolve();
    await clock.settle();
    expect(runs).toBe(2);
  });

  it('holds no timer after the first run has completed in time', async () => {
    const clock = new VirtualClock();
    const repeated = await repeatWork({
      work: () => Promise.resolve(),
      clock,
      interval: 60_000,
      onFailure: () => undefined,
      timeout: 5_000,
    });
    expect(clock.pending).toBe(1);
    await repeated[Symbol.asyncDispose]();
    expect(clock.pending).toBe(0);
  });
});
