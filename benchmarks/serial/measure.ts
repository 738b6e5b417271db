/** Repeating, timing, and a table of it. */

const WARM_UP = 2;
const RUNS = 7;

/** The median of some runs after a few that do not count. */
export async function medianOf(run: () => Promise<number> | number, runs = RUNS, warmUp = WARM_UP): Promise<number> {
  for (let index = 0; index < warmUp; index++) {
    await run();
  }
  const values: number[] = [];
  for (let index = 0; index < runs; index++) {
    values.push(await run());
  }
  return quantile(values, 0.5);
}

/** @param share 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Result {
  readonly what: string;
  readonly measured: string;
  /** Empty when there is none. */
  readonly target: string;
  /** Null when there is no target. */
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
