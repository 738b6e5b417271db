import { describe, expect, it } from 'vitest';
import { recordedSessions } from './testing/recorded-sessions.ts';
import { replay } from './testing/replay.ts';

const sessions = recordedSessions();

describe('recorded sessions of an RP2040', () => {
  it('are 187 with 2,446 steps', () => {
    const steps = sessions.reduce((sum, session) => sum + session.steps.length, 0);
    expect([sessions.length, steps]).toEqual([187, 2_446]);
  });
});

describe('simulated RP2040 beside the recorded sessions of its ROM', () => {
  it.each(sessions.map((session) => [`${session.kind}: ${session.id}`, session] as const))(
    'answers equally: %s',
    async (_, session) => {
      expect(await replay(session)).toEqual([]);
    },
  );
});
