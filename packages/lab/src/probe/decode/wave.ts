/** Levels of one line over time, the input of all decoders. Times are in nanoseconds from the first sample. */
import type { LevelRun } from '../capture-frames.ts';

export interface Wave {
  /** True: the line is high at time 0. */
  readonly isHighAtFirst: boolean;
  /** Times of level changes, in ascending order. */
  readonly edges: readonly number[];
  /** Time of the end of the last sample. */
  readonly end: number;
}

/**
 * Extracts one line from captured runs.
 *
 * @param line Bit of the line in the levels.
 * @param samplePeriod Nanoseconds.
 */
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

/** Returns the level at `time`; at an edge, the level after it. */
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

/** Returns true if edge number `index` rises. */
export function isRising({ isHighAtFirst }: Wave, index: number): boolean {
  return (index % 2 === 0) !== isHighAtFirst;
}

/** Returns the times at which any of `waves` changes, each once, in ascending order. */
export function changesOf(...waves: readonly Wave[]): number[] {
  return [...new Set(waves.flatMap(({ edges }) => edges))].toSorted((a, b) => a - b);
}
