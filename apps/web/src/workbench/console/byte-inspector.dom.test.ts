import { describe, expect, it, vi } from 'vitest';
import { paintRow } from '../../protocol/rows/painted-row.ts';
import { ByteInspector } from './byte-inspector.ts';
import type { SelectedField } from './log-selection.ts';
import { RowList } from './row-list.ts';

const icon = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg');
const bytes = new TextEncoder().encode('boot ok, 42');
const row = {
  sequence: 1,
  part: 0,
  at: 0,
  direction: 'received',
  port: 1,
  level: null,
  lineLength: bytes.length,
  ending: new Uint8Array(),
  open: false,
  bytes,
} as const;

function select(list: RowList, field: SelectedField, start: number, end: number): void {
  const { sequence, part } = row;
  list.setSelected({ from: { sequence, part, column: start }, to: { sequence, part, column: end }, field });
}

describe('byte inspector', () => {
  const newList = () => {
    const list = new RowList({ info: icon(), success: icon(), warning: icon(), error: icon() });
    list.show({ first: 0, total: 1, rows: [paintRow(row, 'hex')] });
    return list;
  };

  it('reports the selected bytes of the hex layout once, and that there are none any more', () => {
    const list = newList();
    const onInspected = vi.fn();
    const inspector = new ByteInspector(list, onInspected);
    select(list, 'content', 1, 3);
    inspector.look('text');
    expect(onInspected).not.toHaveBeenCalled();
    inspector.look('hex');
    inspector.look('hex');
    expect(onInspected.mock.calls).toEqual([[{ offset: 1, bytes: [0x6f, 0x6f] }]]);
    list.setSelected(null);
    inspector.look('hex');
    expect(onInspected).toHaveBeenLastCalledWith(null);
  });

  it('finds the same bytes in the other column, by digits and by characters', () => {
    const list = newList();
    const ranges = (field: SelectedField, start: number, end: number) => {
      select(list, field, start, end);
      const { selected, mirrored } = list.selectedRanges();
      return [selected.map(String), mirrored.map(String)];
    };
    expect(ranges('content', 1, 4)).toEqual([['6F 6F 74'], ['oot']]);
    expect(ranges('characters', 5, 10)).toEqual([['ok, 4'], ['6F 6B 2C  20 34']]);
    expect(ranges('rows', 0, 0)).toEqual([[], []]);
  });
});
