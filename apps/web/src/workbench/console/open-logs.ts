/** The logs on the page, and the flags at their lines, for parts of the page that are not beside them. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';

/** Part of a log that others use. */
interface OpenLog {
  /** Returns the row that contains `element`, or undefined if the row is gone or of another log. */
  rowOf(element: Element): PaintedRow | undefined;
  refresh(): void;
}

export const openLogs = new Set<OpenLog>();

let flags: ReadonlyMap<number, string> = new Map();

/** @param next Short texts by the sequence numbers of lines. */
export function setLineFlags(next: ReadonlyMap<number, string>): void {
  flags = next;
  for (const log of openLogs) {
    log.refresh();
  }
}

export const flagOf = (sequence: number): string | null => flags.get(sequence) ?? null;
