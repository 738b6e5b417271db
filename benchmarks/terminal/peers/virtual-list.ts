/** A generic virtual list, filled once a frame and scrolled to its end. Runs in the browser. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { LineSplitter } from './line-splitter.ts';

export function mount(root: HTMLElement): (bytes: Uint8Array) => void {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  const spacer = document.createElement('div');
  root.style.cssText = 'overflow: auto; height: 700px; font: 12.5px/20px monospace; white-space: pre';
  spacer.style.cssText = 'position: relative';
  root.append(spacer);
  const options = () => ({
    count: lines.length,
    getScrollElement: () => root,
    estimateSize: () => 20,
    overscan: 10,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => paint(),
  });
  const list = new Virtualizer<HTMLElement, HTMLElement>(options());
  const paint = () => {
    spacer.style.height = `${list.getTotalSize()}px`;
    spacer.replaceChildren(
      ...list.getVirtualItems().map(({ index, start }) => {
        const row = document.createElement('div');
        row.style.cssText = `position: absolute; transform: translateY(${start}px)`;
        row.textContent = lines[index] ?? '';
        return row;
      }),
    );
  };
  list._didMount();
  list._willUpdate();
  let framed = false;
  return (bytes) => {
    lines.push(...splitter.split(bytes));
    if (!framed) {
      framed = true;
      requestAnimationFrame(() => {
        framed = false;
        list.setOptions(options());
        list._willUpdate();
        paint();
        list.scrollToIndex(lines.length - 1, { align: 'end' });
      });
    }
  };
}
