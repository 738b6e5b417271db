/** Looks which bytes are marked in the hex layout, and tells when they are others. What they say is shown elsewhere. */
import type { RowLayout } from '@wirebench/serial';
import type { InspectedBytes } from './inspected-bytes.ts';
import type { RowList } from './row-list.ts';
import { selectionIn } from './text-selecting.ts';

export class ByteInspector {
  readonly #layer: Element;
  readonly #list: RowList;
  readonly #onInspected: (inspected: InspectedBytes | null) => void;
  #told = '';

  /** @param layer holds the rows of `list`. @param onInspected told null when nothing is marked any more. */
  constructor(layer: Element, list: RowList, onInspected: (inspected: InspectedBytes | null) => void) {
    this.#layer = layer;
    this.#list = list;
    this.#onInspected = onInspected;
  }

  /** @param layout of the rows that stand there. */
  look(layout: RowLayout): void {
    const inspected = layout === 'hex' ? this.#list.inspect(this.#range) : null;
    const told = inspected === null ? '' : `${inspected.offset}: ${inspected.bytes.join()}`;
    if (told !== this.#told) {
      this.#told = told;
      this.#onInspected(inspected);
    }
  }

  /** Asked for in the hex layout only: to look at the selection makes the browser lay out rows that were just written. */
  get #range(): Range | null {
    return selectionIn(this.#layer)?.getRangeAt(0) ?? null;
  }
}
