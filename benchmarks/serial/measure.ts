/** Repeats and times measurements, and prints them as a table. */

import { orShortest } from '../shortest.ts';

const WARM_UP = orShortest(2, 0);
const RUNS = orShortest(7, 1);

/** Returns the median of some runs, after warm-up runs that are not counted. The shortest run has one alone. */
export async function medianOf(run: () => Promise<number> | number, runs = RUNS, warmUp = WARM_UP): Promise<number> {
  for (let index = 0; index < orShortest(warmUp, 0); index++) {
    await run();
  }
  const values: number[] = [];
  for (let index = 0; index < orShortest(runs, 1); index++) {
    values.push(await run());
  }
  return quantile(values, 0.5);
}

/**
 * Returns a quantile.
 *
 * @param share 0 to 1; 0.5 for the median.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Result {
  readonly what: string;
  readonly measured: string;
  /** Empty without a target. */
  readonly target: string;
  /** Null without a target. */
  readonly reached: boolean | null;
}

export function table(results: readonly Result[]): string {
  const head = ['what', 'measured', 'target', ''];
  const rows = results.map(({ what, measured, target, reached }) => [
    what,
    measured,
    target,
    reached === null ? '' : reached ? 'reached' : 'MISSED',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
