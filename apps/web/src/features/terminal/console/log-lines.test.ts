import { describe, expect, it } from 'vitest';
import { logNames, paneRows } from './log-lines.ts';

const choice = { split: true, used: [1, 2, 4], shown: [1, 2, 3, 4], only: null } as const;

describe('logs of the console', () => {
  it('are one for all ports, or one for each that has been open', () => {
    expect(logNames({ ...choice, split: false })).toEqual(['all']);
    expect(logNames(choice)).toEqual([1, 2, 4]);
  });

  it('leave out what the find field hides, and never all of them', () => {
    expect(logNames({ ...choice, shown: [2, 3] })).toEqual([2]);
    expect(logNames({ ...choice, shown: [3] })).toEqual(['all']);
  });

  it('are one while there is nothing to split', () => {
    expect(logNames({ ...choice, used: [] })).toEqual(['all']);
    expect(logNames({ ...choice, used: [3] })).toEqual(['all']);
  });

  it('are that of the chosen port where there is room for one, or of the first', () => {
    expect(logNames({ ...choice, only: 4 })).toEqual([4]);
    expect(logNames({ ...choice, only: 3 })).toEqual([1]);
  });

  it('stand in rows of two, or below each other', () => {
    expect(paneRows([1, 2, 4], true)).toEqual([[1, 2], [4]]);
    expect(paneRows([1, 2, 3, 4], true)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(paneRows([1, 2, 4], false)).toEqual([[1], [2], [4]]);
  });
});
