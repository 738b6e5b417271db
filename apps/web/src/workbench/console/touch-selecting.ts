/**
 * Selecting rows with a finger: a long press selects the row under it, and a tap on another row everything up to that one,
 * however far one has scrolled in between. A tap on a row that is the only one selected gives it up.
 */
import type { PaintedRow } from './painted-row.ts';
import type { RowName, RowSelection } from './row-selection.ts';

/** In milliseconds. */
const longPress = 500;
/** A finger that moves further, in px, scrolls. */
const steady = 10;

export interface TouchSelectingParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  readonly selection: RowSelection;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

interface Press {
  readonly row: RowName;
  readonly x: number;
  readonly y: number;
  /** It has selected the row already. */
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
    selection.select({ from: held.row, to: held.row });
    onChange();
  };
  const tap = (row: RowName) => {
    const { span } = selection;
    if (span === null) {
      return;
    }
    if (isSame(span.from, row) && isSame(span.to, row)) {
      selection.pointAt(null);
    } else {
      selection.extendTo(row);
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
  // The browser's own answer to a long press would lie over the rows.
  scroller.addEventListener('contextmenu', (event) => press !== null && event.preventDefault(), { signal });
  signal.addEventListener('abort', end);
}

function isSame(a: RowName, b: RowName): boolean {
  return a.sequence === b.sequence && a.part === b.part;
}
