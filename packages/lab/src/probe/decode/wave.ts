/** Levels of one line over time, as the decoders take them. Times are nanoseconds from the first sample. Knows no protocol. */
import type { LevelRun } from '../capture-frames.ts';

export interface Wave {
  /** Level at time 0. */
  readonly isHighAtFirst: boolean;
  /** Times at which the level changes, rising. */
  readonly edges: readonly number[];
  /** Time behind the last sample. */
  readonly end: number;
}

/** @param line bit of the levels @param samplePeriod nanoseconds */
export function waveOf(runs: readonly LevelRun[], line: number, samplePeriod: number): Wave {
  const isHigh = ({ levels }: LevelRun) => ((levels >> line) & 1) === 1;
  const [first] = runs;
  const isHighAtFirst = first !== undefined && isHigh(first);
  const edges: number[] = [];
  let samples = 0;
  let level = isHighAtFirst;
  for (const run of runs) {
    if (isHigh(run) !== level) {
      level = !level;
      edges.push(samples * samplePeriod);
    }
    samples += run.samples;
  }
  return { isHighAtFirst, edges, end: samples * samplePeriod };
}

/** The level at `time`; at the time of an edge the one behind it. */
export function isHighAt({ isHighAtFirst, edges }: Wave, time: number): boolean {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (low % 2 === 1) !== isHighAtFirst;
}

/** Whether edge number `index` rises. */
export function isRising({ isHighAtFirst }: Wave, index: number): boolean {
  return (index % 2 === 0) !== isHighAtFirst;
}

/** Times at which any of `waves` changes, each once, rising. */
export function changesOf(...waves: readonly Wave[]): number[] {
  return [...new Set(waves.flatMap(({ edges }) => edges))].toSorted((a, b) => a - b);
}
