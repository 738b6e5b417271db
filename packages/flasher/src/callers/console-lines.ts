/** Control lines for listening to the program of a board, and for restarting it. */
import { type ControlLines, type LineStep, programSteps } from '@wirebench/port';
import type { BoardConsole } from '../family-values.ts';

/** Settings for listening to a board's program through its port. */
export interface ConsoleLines {
  readonly atOpen: ControlLines | null;
  /** Restarts the program; null if this port cannot. */
  readonly reset: readonly LineStep[] | null;
}

/** Time for which the line of a reset keeps its level, in milliseconds. */
const HOLD = 100;

export const consoleLines = (console: BoardConsole): ConsoleLines => ({
  atOpen: console.lines,
  reset: resetSteps(console),
});

function resetSteps({ lines, reset }: BoardConsole): ConsoleLines['reset'] {
  if (reset === 'circuit') {
    return programSteps('uart');
  }
  return reset === null || lines === null
    ? null
    : [
        [reset.dtr, reset.rts, HOLD],
        [lines.dtr, lines.rts, 0],
      ];
}
