/** The row elements in their order: keeps those whose rows stay, and writes only what is new. Knows no scrolling. */
import type { PaintedPage, PaintedRow } from './painted-row.ts';
import { type NoticeIcons, RowElement } from './row-element.ts';

export class RowList {
  readonly root = document.createElement('div');
  readonly #icons: NoticeIcons;
  readonly #elements: RowElement[] = [];
  #columns = 0;

  constructor(icons: NoticeIcons) {
    this.#icons = icons;
  }

  /** Characters of the longest row seen since there were none. */
  get columns(): number {
    return this.#columns;
  }

  /** The row that `element` belongs to, as long as it stands there. */
  rowOf(element: Element): PaintedRow | undefined {
    return this.#elements.find(({ root }) => root.contains(element))?.row ?? undefined;
  }

  /** Shows exactly these rows and says how many of them did not stand there before. */
  show({ rows, total }: PaintedPage): number {
    this.#rotate(rows);
    while (this.#elements.length < rows.length) {
      const element = new RowElement(this.#icons);
      this.#elements.push(element);
      this.root.append(element.root);
    }
    for (const { root } of this.#elements.splice(rows.length)) {
      root.remove();
    }
    let fresh = 0;
    this.#columns = total === 0 ? 0 : this.#columns;
    for (const [index, row] of rows.entries()) {
      const element = this.#elements[index];
      fresh += isSameRow(element?.row, row) ? 0 : 1;
      element?.show(row);
      this.#columns = Math.max(this.#columns, row.text.length + 2);
    }
    return fresh;
  }

  /** @param pixels by which the first row stands above the upper edge. */
  moveUp(pixels: number): void {
    this.root.style.setProperty('transform', `translateY(${-pixels}px)`);
  }

  /**
   * Brings the elements of rows that stay to their new places. Elements stand in the order of their rows, so that a
   * selection over several of them reads as it looks.
   */
  #rotate(rows: readonly PaintedRow[]): void {
    const gone = this.#elements.findIndex(({ row }) => isSameRow(row, rows[0]));
    if (gone >= 0) {
      for (const element of this.#elements.splice(0, gone)) {
        this.#elements.push(element);
        this.root.append(element.root);
      }
      return;
    }
    const added = rows.findIndex((row) => isSameRow(row, this.#elements[0]?.row));
    for (const element of added > 0 ? this.#elements.splice(-added) : []) {
      this.#elements.unshift(element);
      this.root.prepend(element.root);
    }
  }
}

function isSameRow(a: PaintedRow | null | undefined, b: PaintedRow | null | undefined): boolean {
  return a?.sequence === b?.sequence && a?.part === b?.part;
}
