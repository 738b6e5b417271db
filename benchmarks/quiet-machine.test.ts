import { describe, expect, it } from 'vitest';
import { judgeMachine } from './quiet-machine.ts';

describe('a benchmark', () => {
  it('prints no figures while others use the machine, and says what to do', () => {
    const verdict = judgeMachine({ load: 2.4, cores: 2 }, false);
    expect(verdict).toEqual({ refusal: expect.stringContaining('load average 2.40 on 2 cores') });
    expect(verdict).toEqual({ refusal: expect.stringContaining('--busy') });
  });

  it('says above its table that the machine was busy when it is to measure all the same', () => {
    expect(judgeMachine({ load: 24, cores: 2 }, true)).toEqual({ note: expect.stringContaining('BUSY MACHINE') });
  });

  it.each([
    [0, 2],
    [0.5, 2],
    [4, 16],
  ])('runs on a quiet machine: load average %d on %d cores', (load, cores) => {
    expect(judgeMachine({ load, cores }, false)).toEqual({ note: expect.stringContaining('Quiet machine') });
  });

  it('says that the machine was quiet also where a busy one was allowed', () => {
    expect(judgeMachine({ load: 0.1, cores: 1 }, true)).toEqual({
      note: 'Quiet machine at the start: load average 0.10 on 1 core.',
    });
  });
});
