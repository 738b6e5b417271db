import { describe, expect, it } from 'vitest';
import { testReport } from '../../protocol/testing/write-report.ts';
import { reportLine } from './flash-lines.ts';

const report = testReport({ written: 2_048 });

describe('the last line of a write', () => {
  it('claims no write where everything was there already', () => {
    expect(reportLine({ ...report, written: 0, same: 2_048 })).toEqual({
      level: 'success',
      text: 'Nothing to write: everything was already there',
    });
  });

  it('says whether what was written is verified', () => {
    expect(reportLine(report).text).toBe('2.0 KB written and verified in 0.5 s');
    expect(reportLine({ ...report, state: 'unverified' })).toMatchObject({ level: 'warning' });
  });
});
