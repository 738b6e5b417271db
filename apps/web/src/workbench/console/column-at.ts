/** Finds the character of a laid out text that is under a pointer, in any number of lines. */
import { charactersOf } from './text-units.ts';

export interface PointedColumn {
  /** Position between two characters that is nearest to the pointer, in UTF-16 units. */
  readonly column: number;
  /** First unit of the character under the pointer. */
  readonly at: number;
}

/**
 * @param target Element whose text starts with `text`. Text behind it is ignored.
 * @param x Horizontal position of the pointer in the viewport, in px.
 * @param y Vertical position, in px.
 */
export function columnAt(target: Element, text: string, x: number, y: number): PointedColumn {
  const box = target.getBoundingClientRect();
  // Without a layout there are no positions.
  if (box.width === 0 || text === '') {
    return { column: 0, at: 0 };
  }
  const bounds = charactersOf(text);
  const texts = textNodes(target);
  const rowY = Math.min(Math.max(y, box.top + 1), box.bottom - 1);
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { left, right, top, bottom } = boxOf(texts, bounds[middle] ?? 0, bounds[middle + 1] ?? text.length);
    const isBehind = rowY < top || (rowY <= bottom && x < (left + right) / 2);
    if (isBehind) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const column = bounds[low] ?? text.length;
  const before = bounds[low - 1];
  if (before === undefined) {
    return { column, at: 0 };
  }
  const last = boxOf(texts, before, column);
  const isInLast = x < last.right && rowY >= last.top && rowY <= last.bottom;
  return { column, at: isInLast || column === text.length ? before : column };
}

interface PlacedText {
  readonly node: Text;
  readonly start: number;
}

function textNodes(target: Element): readonly PlacedText[] {
  const walker = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  const texts: PlacedText[] = [];
  let start = 0;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    texts.push({ node, start });
    start += node.length;
  }
  return texts;
}

const range = typeof document === 'undefined' ? null : document.createRange();

/** Returns the box of some units of the text in the viewport. */
function boxOf(texts: readonly PlacedText[], start: number, end: number): DOMRect {
  const text = texts.findLast((placed) => placed.start <= start);
  if (range === null || text === undefined) {
    return new DOMRect();
  }
  range.setStart(text.node, Math.min(start - text.start, text.node.length));
  range.setEnd(text.node, Math.min(end - text.start, text.node.length));
  return range.getClientRects()[0] ?? range.getBoundingClientRect();
}
