/**
 * Selecting rows by Shift and a click, by Shift and an arrow key, or all of them, and copying what is selected, also what
 * is not on the screen. Text within a row is selected by the browser's own means. With a finger: `touch-selecting.ts`.
 */
import type { PaintedRow } from './painted-row.ts';
import { type RowName, RowSelection, type RowSpan } from './row-selection.ts';
import { addTouchSelecting } from './touch-selecting.ts';

export interface RowSelectingParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  /** The row after (1) or before (−1) this one, as far as it is known; of none, the last one that is seen. */
  readonly neighbour: (row: RowName | null, step: 1 | -1) => RowName | undefined;
  /** All rows there are; null while there are none. */
  readonly all: () => Promise<RowSpan | null>;
  readonly onChange: (span: RowSpan | null) => void;
  /** The row that the keyboard has come to. */
  readonly onReach: (row: RowName) => void;
  readonly onCopy: (span: RowSpan) => void;
  readonly signal: AbortSignal;
}

export interface RowSelecting {
  /** Copies what is selected, if anything. */
  copy(): void;
  /** Gives up what is selected. */
  clear(): void;
}

export function addRowSelecting(parts: RowSelectingParts): RowSelecting {
  const { scroller, rowOf, neighbour, all, onChange, onReach, onCopy, signal } = parts;
  const selection = new RowSelection();
  const change = () => onChange(selection.span);
  const clear = () => {
    selection.pointAt(null);
    change();
  };
  addTouchSelecting({ scroller, rowOf, selection, onChange: change, signal });

  scroller.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'touch') {
        return;
      }
      const element = event.target instanceof Element ? event.target.closest('[data-direction]') : null;
      const row = element === null ? undefined : rowOf(element);
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button') !== null)) {
        return;
      }
      if (event.shiftKey && row !== undefined) {
        document.getSelection()?.removeAllRanges();
        scroller.focus({ preventScroll: true });
        selection.extendTo({ sequence: row.sequence, part: row.part });
      } else {
        selection.pointAt(row === undefined ? null : { sequence: row.sequence, part: row.part });
      }
      change();
    },
    { signal },
  );
  // Shift would make the browser select text from wherever the last click was.
  scroller.addEventListener('mousedown', (event) => event.shiftKey && event.preventDefault(), { signal });

  const press = async (event: KeyboardEvent): Promise<void> => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const { span } = selection;
    if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const row = neighbour(selection.end, event.key === 'ArrowDown' ? 1 : -1);
      if (row !== undefined) {
        selection.extendTo({ sequence: row.sequence, part: row.part });
        change();
        onReach(row);
      }
    } else if (command && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      const whole = await all();
      if (whole !== null) {
        selection.select(whole);
        change();
      }
    } else if (command && event.key.toLowerCase() === 'c' && span !== null) {
      event.preventDefault();
      onCopy(span);
    } else if (event.key === 'Escape' && span !== null) {
      clear();
    }
  };
  scroller.addEventListener('keydown', (event) => void press(event), { signal });
  return {
    copy: () => {
      if (selection.span !== null) {
        onCopy(selection.span);
      }
    },
    clear,
  };
}
