import { VirtualClock } from '@wirebench/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { NoticeSpeaker } from './notice-region.tsx';

describe('notice speaker', () => {
  let clock: VirtualClock;
  let said: { at: number; text: string }[];
  let speaker: NoticeSpeaker;
  beforeEach(() => {
    clock = new VirtualClock();
    said = [];
    speaker = new NoticeSpeaker(clock, (text) => said.push({ at: clock.now(), text }));
  });

  it('says the first notice at once', async () => {
    speaker.add(['Device disconnected from Port 1']);
    await clock.advance(0);
    expect(said).toEqual([{ at: 0, text: 'Device disconnected from Port 1.' }]);
  });

  it('speaks at most once in two seconds, and then repeats the notices in between', async () => {
    for (let at = 0; at < 6_000; at += 400) {
      speaker.add([`Notice at ${at}`]);
      await clock.advance(400);
    }
    expect(said.map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000]);
    expect(said[1]?.text).toBe('One more message. Notice at 800. Notice at 1200. Notice at 1600.');
  });

  it('says nothing when there was nothing', async () => {
    speaker.add([]);
    await clock.advance(10_000);
    expect(said).toEqual([]);
  });

  it('leaves no timer behind', () => {
    speaker.add(['x']);
    speaker.dispose();
    expect(clock.pending).toBe(0);
  });
});
