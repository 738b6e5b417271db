/**
 * Selects text in a log with mouse and keyboard. A drag selects text, or whole rows if it starts left of the text. Past
 * an edge of the log it scrolls. Touch is handled by `addTouchSelecting`.
 */

import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { addKeySelecting } from './key-selecting.ts';
import {
  endOfLine,
  isBefore,
  isSameRow,
  type LogPlace,
  LogSelection,
  type LogSpan,
  type RowName,
  type SelectedField,
  startOfLine,
} from './log-selection.ts';
import type { Pointed, SelectingParts } from './selecting-parts.ts';
import { wordAt } from './text-units.ts';

export interface Selecting {
  /** The selected range, or null. */
  readonly span: LogSpan | null;
  /** Clears the selection. */
  clear(): void;
  /** Selects the whole lines of the selection: the columns mean other text from now on. */
  widen(): void;
}

/** Movement from which a press is a drag, in px. */
const dragDistance = 3;
/** Scrolling past an edge, in px a frame: at least, and at most. It grows with the distance of the pointer. */
const slowest = 3;
const fastest = 80;

type Unit = 'character' | 'word' | 'line';

interface Drag {
  readonly pointerId: number;
  readonly unit: Unit;
  readonly field: SelectedField;
  /** The unit in which the drag began. */
  readonly from: LogPlace;
  readonly to: LogPlace;
  readonly x: number;
  readonly y: number;
  moved: boolean;
  /** Last position of the pointer. */
  last: MouseEvent;
}

/** Time of a long press, in milliseconds. */
const longPress = 500;
/** Maximum movement of a press, in px. Longer movements scroll. */
const steady = 10;

interface TouchSelectingParts {
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

/**
 * Selects rows by touch. A long press selects a row, and a tap on another row extends the selection to it, even after
 * scrolling. A tap on the only selected row clears the selection.
 */
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

export function addSelecting(parts: SelectingParts): Selecting {
  const { scroller, view, onSettle, onOpen, signal } = parts;
  const selection = new LogSelection();
  let drag: Drag | null = null;
  let pointerId = -1;
  let byTouch = false;
  let frame = 0;
  /** True: the strip knows of a selection. */
  let settled = false;

  const paint = () => view.setSelected(selection.span);
  const settle = () => {
    paint();
    const { span } = selection;
    if (span !== null || settled) {
      settled = span !== null;
      onSettle(span);
    }
  };
  const clear = () => {
    selection.pointAt(null);
    settle();
  };

  const unitAt = (unit: Unit, { row, field, column, at }: Pointed): { from: LogPlace; to: LogPlace } => {
    const name = { sequence: row.sequence, part: row.part };
    if (unit === 'line') {
      return { from: startOfLine(name), to: endOfLine(name) };
    }
    if (unit === 'word' && field !== 'rows') {
      const { start, end } = row.offset === null ? wordAt(row.text, at) : { start: at, end: at + 1 };
      return { from: { ...name, column: start }, to: { ...name, column: end } };
    }
    return { from: { ...name, column }, to: { ...name, column } };
  };

  const extend = (held: Drag) => {
    const pointed = view.placeAt(held.last, held.field);
    if (pointed === undefined) {
      return;
    }
    const { from, to } = unitAt(held.unit, pointed);
    if (isBefore(from, held.from)) {
      selection.select(held.to, from, held.field);
    } else {
      selection.select(held.from, isBefore(to, held.to) ? held.to : to, held.field);
    }
    paint();
  };

  /** Distance of the pointer from the log's edge, in px. 0 inside. */
  const beyond = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = scroller.getBoundingClientRect();
    const past = (value: number, least: number, size: number) =>
      value < least ? value - least : Math.max(0, value - least - size + 1);
    return { x: past(clientX, left, scroller.clientWidth), y: past(clientY, top, scroller.clientHeight) };
  };
  const step = () => {
    frame = 0;
    if (drag === null || !drag.moved) {
      return;
    }
    const { x, y } = beyond(drag.last);
    if (x !== 0 || y !== 0) {
      view.scrollBy(speedOf(x), speedOf(y));
      frame = requestAnimationFrame(step);
    }
    extend(drag);
  };
  const end = () => {
    if (drag === null) {
      return;
    }
    const ended = drag;
    drag = null;
    cancelAnimationFrame(frame);
    frame = 0;
    if (scroller.hasPointerCapture?.(ended.pointerId)) {
      scroller.releasePointerCapture(ended.pointerId);
    }
    settle();
    view.setPressed(false);
  };

  scroller.addEventListener(
    'pointerdown',
    (event) => {
      byTouch = event.pointerType === 'touch';
      pointerId = event.pointerId;
    },
    { signal, capture: true },
  );
  scroller.addEventListener(
    'mousedown',
    (event) => {
      const target = event.target instanceof Element ? event.target : null;
      // Left of the scroller's content are its scroll bars.
      if (
        byTouch ||
        event.button !== 0 ||
        target === null ||
        target === scroller ||
        target.closest('button') !== null
      ) {
        return;
      }
      // The browser's own selection would select elements that are reused for other lines.
      event.preventDefault();
      document.getSelection()?.removeAllRanges();
      scroller.focus({ preventScroll: true });
      const isExtension = event.shiftKey && selection.focus !== null;
      const pointed = view.placeAt(event, isExtension ? selection.field : null);
      if (pointed === undefined) {
        clear();
        return;
      }
      const unit = isExtension ? 'character' : unitOf(event.detail);
      const { from, to } = unitAt(unit, pointed);
      if (isExtension) {
        selection.extendTo(to);
      } else if (unit === 'character') {
        selection.pointAt(from, pointed.field);
      } else {
        selection.select(from, to, pointed.field);
      }
      const anchor = isExtension ? (selection.anchor ?? from) : from;
      drag = {
        pointerId,
        unit,
        field: selection.field,
        from: anchor,
        to: isExtension ? anchor : to,
        x: event.clientX,
        y: event.clientY,
        moved: false,
        last: event,
      };
      view.setPressed(true);
      if (selection.span !== null || settled) {
        settle();
      } else {
        paint();
      }
    },
    { signal },
  );
  window.addEventListener(
    'pointermove',
    (event) => {
      if (drag === null || event.pointerId !== drag.pointerId) {
        return;
      }
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < dragDistance) {
        return;
      }
      if (!drag.moved) {
        drag.moved = true;
        scroller.setPointerCapture?.(drag.pointerId);
      }
      drag.last = event;
      if (frame === 0) {
        frame = requestAnimationFrame(step);
      }
    },
    { signal },
  );
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'contextmenu', 'blur'] as const) {
    window.addEventListener(
      type,
      () => {
        if (drag?.moved && type !== 'blur' && type !== 'contextmenu') {
          extend(drag);
        }
        end();
      },
      { signal },
    );
  }
  scroller.addEventListener(
    'click',
    (event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.detail === 1 && !event.shiftKey && selection.span === null && target?.closest('[data-link]')) {
        const pointed = view.placeAt(event, 'content');
        if (pointed !== undefined) {
          onOpen(pointed.row, pointed.at);
        }
      }
    },
    { signal },
  );
  addTouchSelecting({ scroller, rowOf: (element) => view.rowOf(element), selection, onChange: settle, signal });
  addKeySelecting({ ...parts, selection, onChange: settle, onClear: clear });
  signal.addEventListener('abort', () => cancelAnimationFrame(frame));
  return {
    get span() {
      return selection.span;
    },
    clear,
    widen: () => {
      selection.widenToLines();
      settle();
    },
  };
}

const unitOf = (clicks: number): Unit => (clicks >= 3 ? 'line' : clicks === 2 ? 'word' : 'character');

/** Converts a distance beyond the edge to a scroll in px. */
function speedOf(distance: number): number {
  return distance === 0 ? 0 : Math.sign(distance) * Math.min(fastest, Math.max(slowest, Math.abs(distance) / 2));
}
