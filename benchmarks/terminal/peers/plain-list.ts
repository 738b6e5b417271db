/**
 * The naive console: one element for each line, added once a frame, with the newest scrolled into view. Runs in the
 * browser.
 */
import { LineSplitter } from './line-splitter.ts';

export function mount(root: HTMLElement): (bytes: Uint8Array) => void {
  const splitter = new LineSplitter();
  let waiting: Element[] = [];
  root.style.cssText = 'overflow: auto; height: 700px; font: 12.5px/20px monospace; white-space: pre';
  const paint = () => {
    root.append(...waiting);
    waiting = [];
    root.scrollTop = root.scrollHeight;
  };
  return (bytes) => {
    if (waiting.length === 0) {
      requestAnimationFrame(paint);
    }
    for (const line of splitter.split(bytes)) {
      const row = document.createElement('div');
      row.textContent = line;
      waiting.push(row);
    }
  };
}
