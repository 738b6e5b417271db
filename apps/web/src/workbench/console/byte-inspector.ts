/** Looks which bytes are marked in the hex layout, and tells when they are others. What they say is shown elsewhere. */
import type { RowLayout } from '@wirebench/serial';
import type { InspectedBytes } from './inspected-bytes.ts';
import type { RowList } from './row-list.ts';
import { selectionIn } from './text-selecting.ts';

/** Drawn without an element being changed; browsers that cannot do so mark one column only. The style sheet has its looks. */
const mirror = makeMirror();

function makeMirror(): Highlight | null {
  if (typeof Highlight === 'undefined' || typeof CSS === 'undefined' || !('highlights' in CSS)) {
    return null;
  }
  const highlight = new Highlight();
  CSS.highlights.set('wirebench-bytes', highlight);
  return highlight;
}

export class ByteInspector {
  readonly #layer: Element;
  readonly #list: RowList;
  readonly #onInspected: (inspected: InspectedBytes | null) => void;
  #shown = '';
  #mirrored: readonly Range[] = [];

  /** @param layer holds the rows of `list`. @param onInspected told null when nothing is marked any more. */
  constructor(layer: Element, list: RowList, onInspected: (inspected: InspectedBytes | null) => void) {
    this.#layer = layer;
    this.#list = list;
    this.#onInspected = onInspected;
  }

  /** @param layout of the rows that are there. */
  look(layout: RowLayout): void {
    const range = layout === 'hex' ? this.#range : null;
    this.#mirror(range);
    const inspected = layout === 'hex' ? this.#list.inspect(range) : null;
    const shown = inspected === null ? '' : `${inspected.offset}: ${inspected.bytes.join()}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#onInspected(inspected);
    }
  }

  /** What is marked as digits is marked as characters, too, and the other way round. */
  #mirror(range: Range | null): void {
    const wanted = range === null ? [] : this.#list.mirror(range);
    if (mirror === null || (wanted.length === 0 && this.#mirrored.length === 0)) {
      return;
    }
    for (const old of this.#mirrored) {
      mirror.delete(old);
    }
    for (const fresh of wanted) {
      mirror.add(fresh);
    }
    this.#mirrored = wanted;
  }

  /** Asked for in the hex layout only: to look at the selection makes the browser lay out rows that were just written. */
  get #range(): Range | null {
    return selectionIn(this.#layer)?.getRangeAt(0) ?? null;
  }
}
