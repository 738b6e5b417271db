/** Finds text in the buffer of a terminal: on the screen and in the lines above it, also across wrapped rows. */

import { type BytePattern, spansIn, textPattern } from '@wirebench/serial';
import type { IBuffer, Terminal } from '@xterm/xterm';

/** Most matches that are counted. A letter can be in every cell of 10,000 rows. */
const mostMatches = 1_000;

/** A match. `row` counts from the oldest line, `length` is in cells and goes on in the next row. */
export interface FoundText {
  readonly column: number;
  readonly row: number;
  readonly length: number;
}

/** Returns the newest matches, oldest first. Text counts as the same as in the find field of the log. */
export function findText(buffer: IBuffer, text: string): readonly FoundText[] {
  const found: FoundText[] = [];
  const wanted = textPattern(text, true);
  if (wanted === null) {
    return found;
  }
  for (let end = buffer.length; end > 0 && found.length < mostMatches; ) {
    let first = end - 1;
    while (first > 0 && buffer.getLine(first)?.isWrapped === true) {
      first--;
    }
    found.unshift(...inLine(buffer, { first, end }, wanted));
    end = first;
  }
  return found.slice(-mostMatches);
}

/** Returns the matches in the rows from `first` up to `end`, which are one line. */
function inLine(buffer: IBuffer, { first, end }: { first: number; end: number }, wanted: BytePattern): FoundText[] {
  let line = '';
  for (let row = first; row < end; row++) {
    line += buffer.getLine(row)?.translateToString() ?? '';
  }
  let behind = 0;
  const matches = spansIn(line, [wanted], Number.POSITIVE_INFINITY).filter((match) => {
    const isApart = match.start >= behind;
    behind = isApart ? match.end : behind;
    return isApart;
  });
  if (matches.length === 0) {
    return [];
  }
  const { cells, columns } = cellsOf(buffer, first, end);
  return matches.map((match) => {
    const cell = cells[match.start] ?? 0;
    const after = cells[match.end] ?? (end - first) * columns;
    return { column: cell % columns, row: first + Math.floor(cell / columns), length: after - cell };
  });
}

/** Returns the cell of each UTF-16 code unit of the rows' text. A wide character has two cells, an accent none. */
function cellsOf(buffer: IBuffer, first: number, end: number): { cells: number[]; columns: number } {
  const cells: number[] = [];
  const columns = buffer.getLine(first)?.length ?? 1;
  for (let row = first; row < end; row++) {
    const line = buffer.getLine(row);
    for (let column = 0; column < columns; column++) {
      const cell = line?.getCell(column);
      if (cell?.getWidth() !== 0) {
        const length = cell?.getChars().length || 1;
        cells.push(...Array.from({ length }, () => (row - first) * columns + column));
      }
    }
  }
  return { cells, columns };
}

export interface ScreenFound {
  readonly count: number;
  /** Place of the selected match, from 1; 0 without one. */
  readonly place: number;
}

type Step = 'next' | 'previous' | 'stay';

/**
 * Returns the index of the match to select, -1 without one: the next or previous one from the selection, around the
 * ends. Without a selection, and if `stay` finds none at it, the newest.
 */
export function stepFrom(
  found: readonly FoundText[],
  selected: { readonly x: number; readonly y: number } | undefined,
  step: Step,
): number {
  const last = found.length - 1;
  if (selected === undefined || last < 0) {
    return last;
  }
  const at = found.filter(({ row, column }) => row < selected.y || (row === selected.y && column < selected.x)).length;
  const match = found[at];
  const isOn = match !== undefined && match.row === selected.y && match.column === selected.x;
  if (step === 'stay') {
    return isOn ? at : last;
  }
  const index = step === 'next' ? at + (isOn ? 1 : 0) : at - 1;
  return index > last ? 0 : index < 0 ? last : index;
}

/** Selects a match and scrolls to it. Searches again each time, because rows come and go. */
export function showFound(terminal: Terminal, text: string, step: Step): ScreenFound {
  const found = findText(terminal.buffer.active, text);
  const index = stepFrom(found, terminal.getSelectionPosition()?.start, step);
  const chosen = found[index];
  if (chosen === undefined) {
    terminal.clearSelection();
    return { count: 0, place: 0 };
  }
  terminal.select(chosen.column, chosen.row, chosen.length);
  const { viewportY } = terminal.buffer.active;
  if (chosen.row < viewportY || chosen.row >= viewportY + terminal.rows) {
    terminal.scrollToLine(Math.max(0, chosen.row - Math.floor(terminal.rows / 2)));
  }
  return { count: found.length, place: index + 1 };
}
