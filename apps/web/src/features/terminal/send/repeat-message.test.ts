import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { readRepeatTime, repeatMessage } from './repeat-message.ts';

/** Repeats on virtual time; `takes` is how long each sending lasts. */
function started(every: number, takes = 0) {
  const clock = new VirtualClock(0);
  const stop = new AbortController();
  const sentAt: number[] = [];
  const counts: number[] = [];
  let refusal: Error | null = null;
  const done = repeatMessage(
    {
      every,
      now: () => clock.now(),
      pause: (duration, signal) => clock.sleep(duration, signal).catch(() => undefined),
      send: async () => {
        if (refusal !== null) {
          throw refusal;
        }
        sentAt.push(clock.now());
        await clock.sleep(takes);
      },
      onSent: (count) => counts.push(count),
    },
    stop.signal,
  );
  return { clock, stop, sentAt, counts, done, refuse: (error: Error) => (refusal = error) };
}

describe('repeating a message', () => {
  it('sends at once and keeps its time, however long a sending takes within it', async () => {
    const { clock, stop, sentAt, counts, done } = started(100, 30);
    await clock.advance(350);
    stop.abort();
    await done;
    expect(sentAt).toEqual([0, 100, 200, 300]);
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  it('does not pile up messages behind a port that is slower than its time', async () => {
    const { clock, stop, sentAt, done } = started(100, 250);
    await clock.advance(800);
    stop.abort();
    await clock.advance(250);
    await done;
    expect(sentAt).toEqual([0, 250, 500, 750]);
  });

  it('sends nothing more after it was stopped', async () => {
    const { clock, stop, sentAt, done } = started(100);
    await clock.advance(50);
    stop.abort();
    await clock.advance(500);
    await done;
    expect(sentAt).toEqual([0]);
  });

  it('ends with the refusal of the port', async () => {
    const { clock, sentAt, done, refuse } = started(100);
    const ended = expect(done).rejects.toThrow('Port 1 is not connected');
    await clock.advance(150);
    refuse(new Error('Port 1 is not connected'));
    await clock.advance(100);
    await ended;
    expect(sentAt).toEqual([0, 100]);
  });

  it('takes whole milliseconds from 10 to an hour', () => {
    expect(['10', '1000', '3600000'].map(readRepeatTime)).toEqual([10, 1_000, 3_600_000]);
    expect(['', '9', '3600001', '1.5', '-100', 'fast'].map(readRepeatTime)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
