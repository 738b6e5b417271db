/** Builds the report of a write, for every family. */
import type { Clock } from '@wirebench/clock';
import type { WriteReport } from './board.ts';

/** Facts of a write that its family knows. The other fields of the report are measured. */
export type WriteResult = Omit<WriteReport, 'sent' | 'duration'>;

/**
 * Begins to measure a write. Call it before the first comparison.
 *
 * @param sent Returns the bytes that were sent to the board so far, including framing.
 * @returns Function to call after the last verification, with regions in any order. Returns the report.
 */
export function measureWrite(
  clock: Clock,
  sent: () => number,
): <Result extends WriteResult>(result: Result) => Result & WriteReport {
  const startedAt = clock.now();
  const sentBefore = sent();
  return (result) => ({
    ...result,
    regions: result.regions.toSorted((one, other) => one.offset - other.offset),
    sent: sent() - sentBefore,
    duration: clock.now() - startedAt,
  });
}
