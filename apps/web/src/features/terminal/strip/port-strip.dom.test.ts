import { type PortNumber, portNumbers } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { stripColumns } from './port-strip.tsx';

describe('columns of the port strip', () => {
  it('keep the order 1 to 4 whatever is open or selected', () => {
    for (const open of [[], [2], [2, 4], [1, 3, 4], [1, 2, 3, 4]] as const) {
      for (const selected of portNumbers) {
        const wide = portNumbers.filter((port) => port === selected || open.some((other) => other === port));
        const free = portNumbers.filter((port) => !wide.includes(port));
        for (const isSmall of [false, true]) {
          const { columnOf, menuColumn } = stripColumns(wide, free, selected, isSmall);
          expect([...portNumbers.map(columnOf), menuColumn]).toEqual([1, 2, 3, 4, 5]);
        }
      }
    }
  });

  it('leave no gap for ports that are not shown', () => {
    const { columnOf, template } = stripColumns([2, 4], [], 2, false);
    expect(([2, 4] as const satisfies PortNumber[]).map(columnOf)).toEqual([1, 2]);
    expect(template).toBe('minmax(0, 1fr) minmax(0, 1fr)');
  });

  it('give every port room for its name', () => {
    expect(stripColumns([1], [2, 3, 4], 1, false).template).toBe(
      'minmax(0, 392px) fit-content(136px) fit-content(136px) fit-content(136px) minmax(auto, 1fr)',
    );
    expect(stripColumns([1, 2], [3, 4], 2, true).template).toBe(
      'minmax(40px, 64px) minmax(112px, 176px) minmax(40px, 64px) minmax(40px, 64px) minmax(auto, 1fr)',
    );
  });
});
