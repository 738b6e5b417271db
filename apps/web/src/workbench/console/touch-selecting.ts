/**
 * Selects rows by touch. A long press selects a row, and a tap on another row extends the selection to it, even after
 * scrolling. A tap on the only selected row clears the selection.
 */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { isSameRow, type LogPlace, type LogSelection, type RowName } from './log-selection.ts';

/** Time of a long press, in milliseconds. */
const longPress = 500;
/** Maximum movement of a press, in px. Longer movements scroll. */
const steady = 10;

export interface TouchSelectingParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  readonly selection: LogSelection;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

interface Press {
  readonly row: RowName;
  readonly x: number;
  readonly y: number;
  /** True: the press has already selected the row. */
  long: boolean;
}

export function addTouchSelecting({ scroller, rowOf, selection, onChange, signal }: TouchSelectingParts): void {
  let press: Press | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    press = null;
  };
  const hold = (held: Press) => {
    held.long = true;
    selection.select(placeOf(held.row), placeOf(held.row), 'rows');
    onChange();
  };
  const tap = (row: RowName) => {
    const { span } = selection;
    if (span === null) {
      return;
    }
    if (isSameRow(span.from, row) && isSameRow(span.to, row)) {
      selection.pointAt(null);
    } else {
      selection.extendTo(placeOf(row));
    }
    onChange();
  };
  const listen = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: PointerEvent) => void,
  ) => scroller.addEventListener(type, (event) => event.pointerType === 'touch' && act(event), { signal });

  listen('pointerdown', ({ target, clientX, clientY }) => {
    end();
    const row = target instanceof Element && target.closest('button') === null ? rowOf(target) : undefined;
    if (row !== undefined) {
      const begun = { row: { sequence: row.sequence, part: row.part }, x: clientX, y: clientY, long: false };
      press = begun;
      timer = setTimeout(() => hold(begun), longPress);
    }
  });
  listen('pointermove', ({ clientX, clientY }) => {
    if (press !== null && Math.hypot(clientX - press.x, clientY - press.y) > steady) {
      end();
    }
  });
  listen('pointercancel', end);
  listen('pointerup', () => {
    if (press !== null && !press.long) {
      tap(press.row);
    }
    end();
  });
  // Suppresses the browser's context menu on a long press, which would cover the rows.
  scroller.addEventListener('contextmenu', (event) => press !== null && event.preventDefault(), { signal });
  signal.addEventListener('abort', end);
}

const placeOf = ({ sequence, part }: RowName): LogPlace => ({ sequence, part, column: 0 });
