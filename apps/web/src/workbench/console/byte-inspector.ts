/** Highlights the selection and reports the selected bytes of the hex layout when they change. */
import type { RowLayout } from '@wirebench/serial';
import type { InspectedBytes } from './inspected-bytes.ts';
import type { RowList } from './row-list.ts';
import { SelectionPainter } from './selection-painter.ts';

export class ByteInspector {
  readonly #list: RowList;
  readonly #onInspected: (inspected: InspectedBytes | null) => void;
  readonly #selected = new SelectionPainter('wirebench-selection');
  /** The same bytes in the other column of the hex layout. */
  readonly #mirrored = new SelectionPainter('wirebench-bytes');
  #shown = '';

  /** @param onInspected Receives the selected bytes, or null if the selection is cleared. */
  constructor(list: RowList, onInspected: (inspected: InspectedBytes | null) => void) {
    this.#list = list;
    this.#onInspected = onInspected;
  }

  /**
   * Updates the highlights and the reported bytes.
   *
   * @param layout Layout of the shown rows.
   */
  look(layout: RowLayout): void {
    const { selected, mirrored } = this.#list.selectedRanges();
    this.#selected.paint(selected);
    this.#mirrored.paint(mirrored);
    const inspected = layout === 'hex' ? this.#list.inspect() : null;
    const shown = inspected === null ? '' : `${inspected.offset}: ${inspected.bytes.join()}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#onInspected(inspected);
    }
  }

  dispose(): void {
    this.#selected.paint([]);
    this.#mirrored.paint([]);
  }
}
