/** The logs on the page, and the flags at their lines, for parts of the page that are not beside them. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';

/** Part of a log that others use. */
interface OpenLog {
  /** Returns the row that contains `element`, or undefined if the row is gone or of another log. */
  rowOf(element: Element): PaintedRow | undefined;
  refresh(): void;
}

export const openLogs = new Set<OpenLog>();

/** Short texts at lines, by their sequence numbers. After a change, the logs are refreshed. */
export const lineFlags = new Map<number, string>();
