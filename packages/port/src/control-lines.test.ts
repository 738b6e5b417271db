import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type ControlLines, type LineStep, linesOff, playSteps } from './control-lines.ts';

const never = new AbortController().signal;
const steps: readonly LineStep[] = [
  [false, true, 100],
  [true, false, 50],
  [true, true, 0],
];

function recorder() {
  const clock = new VirtualClock();
  const calls: string[] = [];
  const set = async ({ dtr, rts }: ControlLines) => {
    calls.push(`${clock.now()}: ${dtr ? 'DTR' : '-'} ${rts ? 'RTS' : '-'}`);
  };
  return { clock, calls, set };
}

describe('a sequence of control lines', () => {
  it('keeps each step for its time', async () => {
    const { clock, calls, set } = recorder();
    const playing = playSteps(clock, steps, set, never);
    await clock.advance(150);
    await playing;
    expect(calls).toEqual(['0: - RTS', '100: DTR -', '150: DTR RTS']);
    expect(clock.pending).toBe(0);
  });

  it('ends with its signal, and leaves the lines as it is asked to', async () => {
    for (const release of [linesOff, undefined]) {
      const { clock, calls, set } = recorder();
      const abort = new AbortController();
      const playing = playSteps(clock, steps, set, abort.signal, release);
      await clock.advance(10);
      abort.abort(new Error('enough'));
      await expect(playing).rejects.toThrow('enough');
      expect(calls).toEqual(['0: - RTS', ...(release === undefined ? [] : ['10: - -'])]);
      expect(clock.pending).toBe(0);
    }
  });

  it('ends with the first step that fails', async () => {
    const { clock, calls, set } = recorder();
    const failing = async (lines: ControlLines) => {
      await set(lines);
      throw new Error('no such line');
    };
    await expect(playSteps(clock, steps, failing, never, linesOff)).rejects.toThrow('no such line');
    expect(calls).toHaveLength(1);
  });
});
