import { describe, expect, it } from 'vitest';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { type FlashState, initialFlash } from '../state/flash-state.ts';
import { phaseText } from './phase-text.ts';

const report = testReport({ written: 2_048 });
const facts = { application: 'weather-node 1.4.0', baudRate: 115_200, words: { restart: 'Press EN.' }, demo: false };
const spoken = (part: Partial<FlashState>) => phaseText({ ...initialFlash, phase: 'done', report, ...part }, facts);

describe('announcement of a result', () => {
  it('says what was verified, and does not call unverified bytes verified', () => {
    expect(spoken({})).toBe('2.0 KB written in 0.5 s, all verified');
    expect(spoken({ report: { ...report, state: 'unverified' } })).toBe('2.0 KB written in 0.5 s, not verified');
    expect(spoken({ report: { ...report, written: 0, same: 2_048 } })).toBe(
      'Nothing to write: everything was already there',
    );
  });

  it('says that the program runs only once it was heard', () => {
    const silent = { verdict: { kind: 'silence' }, waited: false } as const;
    expect(spoken({ startObservation: silent })).not.toContain('runs');
    const startObservation = {
      verdict: { kind: 'app', project: 'weather-node', version: '1.4.0' },
      waited: false,
    } as const;
    expect(spoken({ startObservation })).toContain('The board restarted and runs weather-node 1.4.0.');
  });
});
