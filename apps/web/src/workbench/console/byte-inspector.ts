/** Watches the selection in the hex layout and reports the selected bytes when they change. */
import type { RowLayout } from '@wirebench/serial';
import type { InspectedBytes } from './inspected-bytes.ts';
import type { RowList } from './row-list.ts';
import { selectionIn } from './text-selecting.ts';

/**
 * CSS highlight for the selected bytes in the other column. It changes no element. Browsers without it highlight one
 * column only. Its style is in the style sheet.
 */
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

  /**
   * @param layer Element that contains the rows of `list`.
   * @param onInspected Receives the selected bytes, or null if the selection is cleared.
   */
  constructor(layer: Element, list: RowList, onInspected: (inspected: InspectedBytes | null) => void) {
    this.#layer = layer;
    this.#list = list;
    this.#onInspected = onInspected;
  }

  /**
   * Updates the highlight and the reported bytes.
   *
   * @param layout Layout of the shown rows.
   */
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

  /** Highlights the selected digits as characters, and selected characters as digits. */
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

  /** Call it in the hex layout only: reading the selection forces a layout of rows that were just written. */
  get #range(): Range | null {
    return selectionIn(this.#layer)?.getRangeAt(0) ?? null;
  }
}
