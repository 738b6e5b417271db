import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { connected, notices, stateOf, testRig } from '../testing/test-rig.ts';
import type { RepeatReport } from './repeat-message.ts';

async function repeating(every: number) {
  const test = testRig();
  const device = await connected(test);
  const abort = new AbortController();
  let count = 0;
  let report: RepeatReport | null = null;
  const done = test.bench.jobs
    .repeat(1, utf8('?'), every, {
      signal: abort.signal,
      onSent: (sent) => {
        count = sent;
      },
    })
    .then((end) => {
      report = end;
    });
  await test.clock.settle();
  return { ...test, device, abort, done, count: () => count, report: () => report };
}

describe('repeating a message', () => {
  it('sends at once and then on every beat', async () => {
    const job = await repeating(200);
    expect(job.device.written.length).toBe(1);
    await job.clock.advance(1_000);
    expect(job.device.written.length).toBe(6);
    expect(job.count()).toBe(6);
  });

  it('leaves out the beats in which the port takes nothing, and keeps to the others', async () => {
    const job = await repeating(200);
    job.device.hold('write');
    await job.clock.advance(750);
    job.device.release('write');
    await job.clock.settle();
    expect(job.device.written.length).toBe(2);
    await job.clock.advance(49);
    expect(job.device.written.length).toBe(2);
    await job.clock.advance(1);
    expect(job.device.written.length).toBe(3);
  });

  it('stops when it is aborted, without a notice and without a timer', async () => {
    const job = await repeating(200);
    await job.clock.advance(300);
    const said = notices(job.bench).length;
    job.abort.abort();
    await job.done;
    expect(job.report()).toEqual({ outcome: 'cancelled', count: 2 });
    expect(notices(job.bench)).toHaveLength(said);
    expect(job.clock.pending).toBe(0);
  });

  it('stops with the port, and reports it', async () => {
    const job = await repeating(200);
    await job.clock.advance(500);
    const closing = job.bench.disconnect(1);
    await job.clock.advance(1_000);
    await closing;
    expect(job.report()).toEqual({ outcome: 'closed', count: 3 });
    expect(notices(job.bench)).toContain('Repeating stopped because Port 1 was closed, after 3 messages');
    expect(notices(job.bench).join()).not.toContain('Cannot send data');
  });

  it('stops with a port that takes no more', async () => {
    const job = await repeating(200);
    job.device.writeError = new Error('jammed');
    await job.clock.advance(5_000);
    expect(job.report()).toEqual({ outcome: 'closed', count: 1 });
    expect(stateOf(job.bench)).toBe('disconnected');
    expect(job.clock.pending).toBe(0);
  });

  it('counts without a progress callback too', async () => {
    const test = testRig();
    await connected(test);
    const abort = new AbortController();
    const report = test.bench.jobs.repeat(1, utf8('?'), 100, { signal: abort.signal });
    await test.clock.advance(250);
    abort.abort();
    await expect(report).resolves.toEqual({ outcome: 'cancelled', count: 3 });
  });

  it('is refused when the port is not connected, and at an invalid interval', async () => {
    const test = testRig();
    await expect(test.bench.jobs.repeat(1, utf8('?'), 100)).rejects.toMatchObject({ code: 'not-connected' });
    await connected(test);
    for (const every of [9, 3_600_001, Number.NaN]) {
      await expect(test.bench.jobs.repeat(1, utf8('?'), every)).rejects.toThrow(RangeError);
    }
  });
});
