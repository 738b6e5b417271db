/**
 * The cursors A and B. They stand at lines: placing one in the plot shows its line in the log, and a press on a line of the log places one
 * in the plot.
 */
import type { PlotCursorQuery } from '@wirebench/serial';
import { getBench } from '../../../../workbench/bench.ts';
import { lineFlags, openLogs } from '../../../../workbench/console/open-logs.ts';
import { revealLine } from '../../../../workbench/console/reveal-line.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';
import { onPlotChange, type PlotCursors, placeCursor, plotNow } from './plot-store.ts';

type CursorName = 'a' | 'b';

/** Counts questions to the bench. A late answer must not undo a later choice. */
let asked = 0;

/** Places a cursor where the bench finds a line. Returns false if there is none. */
async function place(name: CursorName, query: PlotCursorQuery, near: readonly number[], isShown: boolean) {
  const turn = ++asked;
  const cursor = await getBench().call('plotCursor', query, near);
  if (cursor !== null && turn === asked) {
    placeCursor(name, cursor);
    if (isShown) {
      revealLine(cursor.sequence);
    }
  }
}

/** B needs A: without it, A is placed. */
const nameFor = (name: CursorName): CursorName => (plotNow().cursors.a === null ? 'a' : name);

/**
 * Places a cursor at the line whose point is nearest to a time, and shows the line.
 *
 * @param at Milliseconds since the Unix epoch.
 * @param ids Series whose points are looked for.
 */
export function placeNear(name: CursorName, at: number, ids: readonly number[]): Promise<void> {
  return place(nameFor(name), { at }, ids, true);
}

/** Places A at a line, and shows the line. @param at Time at which its point is drawn. */
export function placeAtLine(sequence: number, at: number): Promise<void> {
  return place('a', { sequence, at }, [], true);
}

/**
 * Moves the cursor that was placed last to the next or previous line with a point, and shows the line. Without a cursor, A is placed at
 * the newest line in the shown range.
 *
 * @param isOther True: moves B, which begins at A.
 */
export function stepCursor(step: 1 | -1, ids: readonly number[], isOther: boolean, shown: Stretch): Promise<void> {
  const { cursors } = plotNow();
  if (cursors.a === null) {
    return placeNear('a', shown.to, ids);
  }
  const name = isOther ? 'b' : cursors.moved;
  const { sequence } = cursors[name] ?? cursors.a;
  return place(name, { sequence, step }, ids, true);
}

/** Removes B, or else A. Returns false if there was none. */
export function clearCursor(): boolean {
  const { a, b } = plotNow().cursors;
  if (a === null) {
    return false;
  }
  asked++;
  placeCursor(b === null ? 'a' : 'b', null);
  return true;
}

/** Movement from which a press selects text, in px. */
const steady = 3;

/**
 * Flags the lines of the cursors in every log of the page, and places a cursor by a press on a line: A, or B with Shift. Returns a function
 * that ends both.
 */
export function joinLogs(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const flag = ({ a, b }: PlotCursors) => {
    lineFlags.clear();
    for (const [name, cursor] of [['B', b] as const, ['A', a] as const]) {
      if (cursor !== null) {
        lineFlags.set(cursor.sequence, lineFlags.has(cursor.sequence) ? 'AB' : name);
      }
    }
    for (const log of openLogs) {
      log.refresh();
    }
  };
  const rowAt = (target: EventTarget | null) => {
    if (!(target instanceof Element) || target.closest('button, a') !== null) {
      return undefined;
    }
    for (const log of openLogs) {
      const row = log.rowOf(target);
      if (row !== undefined) {
        return row.direction === 'notice' ? undefined : row;
      }
    }
    return undefined;
  };
  let from: MouseEvent | null = null;
  document.addEventListener(
    'mousedown',
    (event) => {
      from = event;
      if (event.shiftKey && event.button === 0 && plotNow().cursors.a !== null && rowAt(event.target) !== undefined) {
        // Otherwise the log extends its selection to this line.
        event.stopPropagation();
        event.preventDefault();
      }
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'click',
    (event) => {
      const row = rowAt(event.target);
      const isSteady = from !== null && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < steady;
      if (row !== undefined && isSteady && event.detail === 1) {
        void place(nameFor(event.shiftKey ? 'b' : 'a'), { sequence: row.sequence, at: row.at }, [], false);
      }
    },
    { signal },
  );
  let { cursors } = plotNow();
  const endChoices = onPlotChange((now) => {
    if (now.cursors !== cursors) {
      cursors = now.cursors;
      flag(cursors);
    }
  });
  flag(cursors);
  return () => {
    ending.abort();
    endChoices();
    flag({ a: null, b: null, moved: 'a' });
  };
}
