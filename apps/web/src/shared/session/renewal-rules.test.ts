import { describe, expect, it } from 'vitest';
import { judgeFailure, needsRenewal } from './renewal-rules.ts';

const refused = (status: number, error: string | null = null) => ({ kind: 'refused', status, error }) as const;

describe('renewal rules', () => {
  it.each([
    ['interval', 70_000, false],
    ['interval', 69_999, true],
    ['call', 30_000, false],
    ['call', 29_999, true],
  ] as const)('before a(n) %s, a token valid for %i ms needs renewal: %s', (reason, left, expected) => {
    expect(needsRenewal(1_000_000 + left, 1_000_000, reason)).toBe(expected);
  });

  it('ends the session at the third answered failure in a row, not before', () => {
    expect(judgeFailure(refused(503), 'call', 0)).toEqual({ failures: 1, endsSession: false });
    expect(judgeFailure({ kind: 'unusable' }, 'call', 1)).toEqual({ failures: 2, endsSession: false });
    expect(judgeFailure(refused(503), 'refused-call', 2)).toEqual({ failures: 3, endsSession: true });
  });

  it('ends the session at once when the grant is gone, or the answer is a 400', () => {
    expect(judgeFailure(refused(401, 'invalid_grant'), 'call', 0).endsSession).toBe(true);
    expect(judgeFailure(refused(400), 'refused-call', 0).endsSession).toBe(true);
  });

  it('ends the session when a look at the clock was answered with a refusal', () => {
    expect(judgeFailure(refused(503), 'interval', 0).endsSession).toBe(true);
  });

  it.each(['interval', 'call', 'refused-call'] as const)('never counts no answer (%s)', (reason) => {
    expect(judgeFailure({ kind: 'no-answer' }, reason, 2)).toEqual({ failures: 2, endsSession: false });
  });
});
