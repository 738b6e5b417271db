import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FramePulls, type PullOutcome } from './frame-pulls.ts';

const frame = 16;

describe('frame pulls', () => {
  let outcome: PullOutcome;
  let held: boolean;
  let answers: (() => void)[];
  let pulls: FramePulls;
  const place = vi.fn();
  const frames = (count: number) => vi.advanceTimersByTimeAsync(count * frame);
  const answer = async () => {
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  /** Number of requests, answered or not. */
  let asked: number;

  beforeEach(() => {
    vi.useFakeTimers();
    place.mockClear();
    outcome = { rest: 0, again: false };
    held = false;
    answers = [];
    asked = 0;
    const pull = () => {
      asked++;
      return new Promise<PullOutcome>((resolve) => answers.push(() => resolve(outcome)));
    };
    pulls = new FramePulls({ place, pull, held: () => held });
  });

  afterEach(() => {
    pulls.dispose();
    vi.useRealTimers();
  });

  it('asks once for all that changes within a frame, and not while nothing does', async () => {
    pulls.invalidate();
    pulls.invalidate();
    expect(asked).toBe(0);
    await frames(2);
    expect(asked).toBe(1);
    await answer();
    await frames(100);
    expect(asked).toBe(1);
  });

  it('have one request at a time, and ask again for later changes', async () => {
    pulls.want();
    await frames(2);
    pulls.want();
    await frames(10);
    expect(asked).toBe(1);
    await answer();
    await frames(2);
    expect(asked).toBe(2);
  });

  it('rests after an answer, unless the person waits', async () => {
    outcome = { rest: 250, again: false };
    pulls.want();
    await frames(2);
    await answer();
    pulls.invalidate();
    await frames(10);
    expect(asked).toBe(1);
    await frames(6);
    expect(asked).toBe(2);
    await answer();
    pulls.want();
    await frames(2);
    expect(asked).toBe(3);
  });

  it('asks again for what an answer did not have', async () => {
    outcome = { rest: 0, again: true };
    pulls.want();
    await frames(2);
    await answer();
    await frames(2);
    expect(asked).toBe(2);
  });

  it('asks nothing while what is there is held, and goes on with the next frame', async () => {
    held = true;
    pulls.want();
    await frames(10);
    expect(asked).toBe(0);
    expect(place).toHaveBeenCalled();
    held = false;
    pulls.requestFrame();
    await frames(2);
    expect(asked).toBe(1);
  });

  it('does nothing more once it is disposed of, also when an answer was under way', async () => {
    outcome = { rest: 0, again: true };
    pulls.want();
    await frames(2);
    pulls.dispose();
    place.mockClear();
    await answer();
    pulls.want();
    await frames(10);
    expect(asked).toBe(1);
    expect(place).not.toHaveBeenCalled();
  });
});
