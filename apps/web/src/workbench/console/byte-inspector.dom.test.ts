import { afterEach, describe, expect, it, vi } from 'vitest';
import { paintRow } from '../../protocol/rows/painted-row.ts';
import { ByteInspector } from './byte-inspector.ts';
import { RowList } from './row-list.ts';

const icon = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg');

describe('byte inspector', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('never asks what is selected in the text layout: the browser would have to lay out the rows for it', () => {
    const selection = vi.spyOn(document, 'getSelection');
    const list = new RowList({ info: icon(), success: icon(), warning: icon(), error: icon() });
    const onInspected = vi.fn();
    const inspector = new ByteInspector(list.root, list, onInspected);
    inspector.look('text');
    expect(selection).not.toHaveBeenCalled();
    inspector.look('hex');
    expect(selection).toHaveBeenCalled();
    expect(onInspected).not.toHaveBeenCalled();
  });

  it('finds the same bytes in the other column, by digits and by characters', () => {
    const list = new RowList({ info: icon(), success: icon(), warning: icon(), error: icon() });
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
    list.show({ first: 0, total: 1, rows: [paintRow(row, 'hex')] });
    const mirrored = (text: string) => {
      const walker = document.createTreeWalker(list.root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
        const at = node.data.indexOf(text);
        if (at !== -1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + text.length);
          return list.mirror(range).map(String);
        }
      }
      return null;
    };
    expect(mirrored('6F 6F 74')).toEqual(['oot']);
    expect(mirrored('ok, 4')).toEqual(['6F 6B 2C  20 34']);
  });
});
