import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { contains, RowSelection } from './row-selection.ts';

const row = (sequence: number, part = 0) => ({ sequence, part });

describe('row selection', () => {
  let selection: RowSelection;
  beforeEach(() => {
    selection = new RowSelection();
  });

  it('is nothing while a row is only pointed at', () => {
    selection.pointAt(row(5));
    expect(selection.span).toBeNull();
    expect(selection.end).toEqual(row(5));
  });

  it('reaches from where it began to where it was taken, in either direction', () => {
    selection.pointAt(row(5));
    selection.extendTo(row(9));
    expect(selection.span).toEqual({ from: row(5), to: row(9) });
    selection.extendTo(row(2, 3));
    expect(selection.span).toEqual({ from: row(2, 3), to: row(5) });
  });

  it('begins at the row it is taken to when it has not begun', () => {
    selection.extendTo(row(7));
    expect(selection.span).toEqual({ from: row(7), to: row(7) });
  });

  it('is given up where another row is pointed at', () => {
    selection.select({ from: row(0), to: row(99) });
    selection.pointAt(row(3));
    expect(selection.span).toBeNull();
  });

  it('contains both of its ends and what is between them', () => {
    const rows = fc.record({ sequence: fc.nat({ max: 20 }), part: fc.nat({ max: 3 }) });
    fc.assert(
      fc.property(rows, rows, rows, (anchor, end, other) => {
        selection.select({ from: anchor, to: end });
        const { span } = selection;
        const place = ({ sequence, part }: typeof other) => sequence * 10 + part;
        const [low = 0, high = 0] = [place(anchor), place(end)].sort((a, b) => a - b);
        expect(span !== null && contains(span, other)).toBe(low <= place(other) && place(other) <= high);
      }),
    );
  });
});
