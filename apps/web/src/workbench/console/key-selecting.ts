/** Selects text in a log with the keyboard: Shift with arrows, Home, End, Page Up and Page Down, or all of it. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { columnsIn, isSameRow, type LogPlace, type LogSelection, type LogSpan, startOfLine } from './log-selection.ts';
import type { SelectingParts } from './selecting-parts.ts';
import { nextCharacter } from './text-units.ts';

export interface KeySelectingParts extends SelectingParts {
  readonly selection: LogSelection;
  readonly onChange: () => void;
  readonly onClear: () => void;
}

export function addKeySelecting(parts: KeySelectingParts): void {
  const { scroller, view, endOfLog, onCopy, onSay, onOpen, selection, onChange, onClear, signal } = parts;

  const reach = (place: LogPlace, row: PaintedRow) => {
    selection.extendTo(place);
    onChange();
    view.reveal(row.sequence);
    onSay(spokenText(selection.span, row));
  };
  /** Moves the end of the selection by rows. Without a selection, whole rows are selected from now on. */
  const moveRows = (step: 1 | -1, count: number) => {
    let row = view.neighbour(selection.focus, step);
    for (let moved = 1; row !== undefined && moved < count; moved++) {
      const next = view.neighbour(row, step);
      if (next === undefined) {
        break;
      }
      row = next;
    }
    if (row !== undefined) {
      const column = Math.min(selection.focus?.column ?? 0, lengthOf(row));
      reach({ sequence: row.sequence, part: row.part, column }, row);
    }
  };
  /** Moves the end of the selection by one character. */
  const moveColumn = (step: 1 | -1) => {
    const { span, focus } = selection;
    if (focus === null) {
      moveRows(1, 1);
      return;
    }
    if (selection.field === 'rows' && span !== null) {
      // From whole rows on, the end that the key moves away from stays.
      const [anchor, end] = step === 1 ? [span.from, span.to] : [span.to, span.from];
      const endRow = view.rowNamed(end);
      const column = endRow === undefined || step === -1 ? 0 : lengthOf(endRow);
      selection.select({ ...anchor, column: step === 1 ? 0 : Number.POSITIVE_INFINITY }, { ...end, column }, 'content');
    } else if (selection.field === 'rows') {
      selection.pointAt(focus, 'content');
    }
    const from = selection.focus ?? focus;
    const row = view.rowNamed(from);
    const column = row === undefined ? null : nextColumn(row, from.column, step);
    if (row !== undefined && column !== null) {
      reach({ sequence: row.sequence, part: row.part, column }, row);
      return;
    }
    const other = view.neighbour(from, step);
    if (other !== undefined) {
      reach({ sequence: other.sequence, part: other.part, column: step === 1 ? 0 : lengthOf(other) }, other);
    }
  };
  const moveToEnd = (step: 1 | -1) => {
    const { focus } = selection;
    const row = focus === null ? undefined : view.rowNamed(focus);
    if (row === undefined) {
      moveRows(1, 1);
      return;
    }
    if (selection.span === null) {
      selection.pointAt(focus, 'content');
    }
    reach({ sequence: row.sequence, part: row.part, column: step === 1 ? lengthOf(row) : 0 }, row);
  };
  /** Selection up to the end of the log, which the worker is asked for. Null: none is pending. */
  let pending: Promise<void> | null = null;
  const startSelecting = (work: Promise<void>) => {
    const own = work.finally(() => {
      if (pending === own) {
        pending = null;
      }
    });
    pending = own;
  };
  /** Copies the selection. Keys pressed in quick succession, such as Ctrl+A and Ctrl+C, copy the new selection. */
  const copy = async () => {
    await pending;
    const { span } = selection;
    if (span !== null && !signal.aborted) {
      onCopy(span);
    }
  };
  const selectAll = async () => {
    const last = await endOfLog();
    if (last !== null && !signal.aborted) {
      selection.select(startOfLine({ sequence: 0, part: 0 }), last, 'rows');
      onChange();
      onSay('All lines are selected.');
    }
  };
  const extendToLogEnd = async (step: 1 | -1) => {
    const last = step === 1 ? await endOfLog() : startOfLine({ sequence: 0, part: 0 });
    if (last !== null && selection.focus !== null && !signal.aborted) {
      selection.extendTo(last);
      onChange();
      onSay(step === 1 ? 'Selected up to the newest line.' : 'Selected up to the oldest line.');
    }
  };
  const openLink = (): boolean => {
    const { focus } = selection;
    const row = focus === null ? undefined : view.rowNamed(focus);
    return row !== undefined && focus !== null && onOpen(row, Math.min(focus.column, lengthOf(row)));
  };

  const extendBy = (key: string): boolean => {
    switch (key) {
      case 'ArrowDown':
        moveRows(1, 1);
        return true;
      case 'ArrowUp':
        moveRows(-1, 1);
        return true;
      case 'PageDown':
        moveRows(1, view.pageRows);
        return true;
      case 'PageUp':
        moveRows(-1, view.pageRows);
        return true;
      case 'ArrowRight':
        moveColumn(1);
        return true;
      case 'ArrowLeft':
        moveColumn(-1);
        return true;
      case 'End':
        moveToEnd(1);
        return true;
      case 'Home':
        moveToEnd(-1);
        return true;
      default:
        return false;
    }
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.altKey) {
      return false;
    }
    const command = event.ctrlKey || event.metaKey;
    const { span } = selection;
    if (event.shiftKey) {
      if (command && (event.key === 'End' || event.key === 'Home')) {
        startSelecting(extendToLogEnd(event.key === 'End' ? 1 : -1));
        return true;
      }
      return !command && extendBy(event.key);
    }
    if (command) {
      const key = event.key.toLowerCase();
      if (key === 'a') {
        startSelecting(selectAll());
        return true;
      }
      if ((key === 'c' || key === 'insert') && (span !== null || pending !== null)) {
        void copy();
        return true;
      }
      return false;
    }
    if (event.key === 'Escape' && span !== null) {
      onClear();
      onSay('Nothing is selected.');
      return true;
    }
    return event.key === 'Enter' && event.target === scroller && openLink();
  };
  scroller.addEventListener(
    'keydown',
    (event) => {
      if (press(event)) {
        event.preventDefault();
      }
    },
    { signal },
  );
}

/** Returns the number of columns of a row: UTF-16 units, or bytes of a row of bytes. */
const lengthOf = (row: PaintedRow): number => (row.offset === null ? row.text.length : (row.characters?.length ?? 0));

function nextColumn(row: PaintedRow, column: number, step: 1 | -1): number | null {
  if (row.offset === null) {
    return nextCharacter(row.text, Math.min(column, row.text.length), step);
  }
  const next = Math.min(column, lengthOf(row)) + step;
  return next < 0 || next > lengthOf(row) ? null : next;
}

/** Longest text that is spoken, in characters. */
const longestSpoken = 200;

/** Describes a selection whose end is in `row`. */
function spokenText(span: LogSpan | null, row: PaintedRow): string {
  if (span === null) {
    return 'Nothing is selected.';
  }
  const columns = columnsIn(span, row);
  const isWithin = isSameRow(span.from, span.to);
  const text =
    columns === null || row.offset !== null || !isWithin ? row.text : row.text.slice(columns.start, columns.end);
  const shown = text.length > longestSpoken ? `${text.slice(0, longestSpoken)}…` : text;
  return `${isWithin ? 'Selected' : 'Selected up to'}: ${shown === '' ? 'empty line' : shown}`;
}
