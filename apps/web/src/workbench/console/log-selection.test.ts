import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { columnsIn, endOfLine, LogSelection, startOfLine } from './log-selection.ts';

const place = (sequence: number, column = 0, part = 0) => ({ sequence, part, column });
const infinite = Number.POSITIVE_INFINITY;

describe('log selection', () => {
  let selection: LogSelection;
  beforeEach(() => {
    selection = new LogSelection();
  });

  it('is nothing while a place is only pointed at', () => {
    selection.pointAt(place(5, 3), 'content');
    expect(selection.span).toBeNull();
    expect(selection.focus).toEqual(place(5, 3));
    selection.extendTo(place(5, 3));
    expect(selection.span).toBeNull();
  });

  it('reaches from where it began to where it was taken, in either direction', () => {
    selection.pointAt(place(5, 3), 'content');
    selection.extendTo(place(5, 9));
    expect(selection.span).toEqual({ from: place(5, 3), to: place(5, 9), field: 'content' });
    selection.extendTo(place(2, 7, 3));
    expect(selection.span).toEqual({ from: place(2, 7, 3), to: place(5, 3), field: 'content' });
  });

  it('begins at the row it is taken to when it has not begun', () => {
    selection.extendTo(place(7));
    expect(selection.span).toEqual({ from: place(7), to: place(7), field: 'rows' });
  });

  it('selects the lines as a whole when columns mean other text', () => {
    selection.select(place(4, 2), place(6, 1), 'content');
    selection.widenToLines();
    expect(selection.span).toEqual({ from: startOfLine(place(4)), to: endOfLine(place(6)), field: 'rows' });
    selection.pointAt(place(3));
    selection.widenToLines();
    expect(selection.focus).toBeNull();
  });

  it('has all columns of the rows between its ends, and those of the ends up to their columns', () => {
    const places = fc.record({ sequence: fc.nat({ max: 9 }), part: fc.nat({ max: 3 }), column: fc.nat({ max: 9 }) });
    fc.assert(
      fc.property(places, places, places, fc.boolean(), (anchor, focus, row, whole) => {
        selection.select(anchor, focus, whole ? 'rows' : 'content');
        const { span } = selection;
        const value = ({ sequence, part }: typeof row) => sequence * 10 + part;
        const [from, to] = [anchor, focus].sort((a, b) => value(a) - value(b) || a.column - b.column) as [
          typeof row,
          typeof row,
        ];
        if (span === null) {
          expect({ whole, from }).toEqual({ whole: false, from: to });
          return;
        }
        const isWithin = value(from) <= value(row) && value(row) <= value(to);
        const start = !whole && value(row) === value(from) ? from.column : 0;
        const end = !whole && value(row) === value(to) ? to.column : infinite;
        expect(columnsIn(span, row)).toEqual(isWithin ? { start, end } : null);
      }),
    );
  });
});
