/**
 * Selects and copies rows with mouse and keyboard: Shift+click, Shift+arrow keys, or all rows. The selection may
 * extend beyond the screen. The browser selects text inside rows. Touch is handled by `touch-selecting.ts`.
 */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { type RowName, RowSelection, type RowSpan } from './row-selection.ts';
import { addTouchSelecting } from './touch-selecting.ts';

export interface RowSelectingParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  /** Returns the row after (1) or before (−1) `row` if it is loaded. For null, returns the last fully visible row. */
  readonly neighbour: (row: RowName | null, step: 1 | -1) => RowName | undefined;
  /** Returns the span of all rows, or null if the log is empty. */
  readonly all: () => Promise<RowSpan | null>;
  readonly onChange: (span: RowSpan | null) => void;
  /** Called with the row that the keyboard has selected, to scroll it into view. */
  readonly onReach: (row: RowName) => void;
  readonly onCopy: (span: RowSpan) => void;
  readonly signal: AbortSignal;
}

export interface RowSelecting {
  /** Copies the selected rows, if any. */
  copy(): void;
  /** Clears the selection. */
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
  // Prevents the browser's text selection from the last click to this one.
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
