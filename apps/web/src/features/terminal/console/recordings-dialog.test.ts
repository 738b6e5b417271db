import { describe, expect, it } from 'vitest';
import { rawFileName, textFileName } from '../../../protocol/recording-index.ts';
import { recordingLogs } from './recordings-dialog.tsx';

describe('logs of a recording', () => {
  it('are one for all parts, in their order', () => {
    const parts = [1_000, 999, 2, 1].map((part) => textFileName('night', part));
    expect(recordingLogs(parts)).toEqual([parts.toReversed()]);
  });

  it('are one for the bytes of each port', () => {
    const [first, second] = [rawFileName('night', 1, 1), rawFileName('night', 1, 2)];
    const other = rawFileName('night', 3, 1);
    expect(recordingLogs([other, first, second])).toEqual([[first, second], [other]]);
  });

  it('are the text alone if there are both, because the text has the bytes with their times', () => {
    const text = textFileName('night', null);
    expect(recordingLogs([rawFileName('night', 1, null), text])).toEqual([[text]]);
  });
});
