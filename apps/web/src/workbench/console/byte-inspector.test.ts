import { afterEach, describe, expect, it, vi } from 'vitest';
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
    const told = vi.fn();
    const inspector = new ByteInspector(list.root, list, told);
    inspector.look('text');
    expect(selection).not.toHaveBeenCalled();
    inspector.look('hex');
    expect(selection).toHaveBeenCalled();
    expect(told).not.toHaveBeenCalled();
  });
});
