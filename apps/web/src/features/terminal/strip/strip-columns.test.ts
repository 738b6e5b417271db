import { describe, expect, it } from 'vitest';
import { stripColumns } from './strip-columns.ts';

describe('columns of the port strip', () => {
  it('places ports in use before the label, and the others after it in ascending order', () => {
    const { columnOf, labelColumn, menuColumn } = stripColumns([2, 4], 2, false);
    expect(([1, 2, 3, 4] as const).map(columnOf)).toEqual([4, 1, 5, 2]);
    expect({ labelColumn, menuColumn }).toEqual({ labelColumn: 3, menuColumn: 6 });
  });

  it('lets four ports in use share the whole strip', () => {
    expect(stripColumns([1, 2, 3, 4], 1, false).template).toBe(Array(4).fill('minmax(0, 1fr)').join(' '));
  });

  it('gives a name only to the selected port in a small window', () => {
    expect(stripColumns([1, 2], 2, true).template).toBe(
      'minmax(40px, 56px) minmax(124px, 176px) auto 40px 40px minmax(auto, 1fr)',
    );
  });
});
