/**
 * Finds how the points of a part of a curve were sampled: at an even rate, in bursts that share a time, or at uneven times. The rate is
 * the one that a person gives, or an estimate from the times. Points that share a time came together, so their times say nothing but how
 * many came until then: a count over enough bursts gives the rate.
 */

/** Clock of the times: arrival of the lines, the board's own, the time stamp of an adapter in its frames, or several of them. */
export type PointClock = 'lines' | 'board' | 'adapter' | 'mixed';

/** Times of points, in their order. */
export interface SampleTimes {
  /** Milliseconds from any moment, never going back. Points that came together have the same time. */
  readonly times: Float64Array;
  /** Numbers of points in front of which readings without a value are missing. Default: none. */
  readonly breaks?: readonly number[];
  /** Default: `lines`. Null: nothing gives the times. */
  readonly clock?: PointClock | null;
}

interface SampledPart {
  /** Number of the first point that is read, and how many are. */
  readonly first: number;
  readonly count: number;
  /** Places where points are missing. Nothing is drawn across them. */
  readonly gaps: number;
  /** Clock of the points' times. Null: nothing gives them. */
  readonly clock: PointClock | null;
}

/** Points one period apart. */
interface EvenSampling extends SampledPart {
  readonly kind: 'even';
  /** Points a second. */
  readonly rate: number;
  /** Source of the rate: a person, the times of single points, or the number of points in bursts. The last two are estimates. */
  readonly from: 'given' | 'times' | 'bursts';
  /** Standard error of an estimated rate, in Hz. 0 for a given one. */
  readonly uncertainty: number;
  /** Largest distance of a time from the even ones, in milliseconds. 0 for a given rate. */
  readonly jitter: number;
  /** Different times of the points. */
  readonly bursts: number;
}

/** Points at times of their own. */
interface UnevenSampling extends SampledPart {
  readonly kind: 'uneven';
  /** Mean rate, in Hz. */
  readonly rate: number;
  /** Highest frequency that the times carry, in Hz. */
  readonly top: number;
  /** Shortest and longest distance of neighbouring points, in milliseconds. */
  readonly shortest: number;
  readonly longest: number;
  /** True: but for the gaps, the points are one period apart. */
  readonly isGrid: boolean;
}

export type Sampling = EvenSampling | UnevenSampling;

/** Reason for which the sampling of points is not known. */
export type NoSampling =
  /** @param gaps Places where points are missing; the longest part between them has too few. */
  | { readonly reason: 'few-points'; readonly gaps: number }
  | { readonly reason: 'one-time' | 'unknown-times' }
  /** Too few different times to count by. */
  | { readonly reason: 'few-bursts'; readonly bursts: number }
  /** @param late Spread of the bursts about an even rate, in milliseconds. */
  | { readonly reason: 'uneven-bursts'; readonly late: number };

/** Fewest points of a spectrum. A shorter part has points enough for no more than a guess. */
const MIN_POINTS = 8;
/** Most points: a million take less than a second. Of more, the newest are read. */
const MAX_POINTS = 1 << 20;
/** Most points at uneven times: they take half a second. */
const MAX_UNEVEN_POINTS = 1 << 15;
/** Fewest arrivals from which a rate is estimated. */
const MIN_BURSTS = 20;
/** Distance from an even time up to which points are even, as a part of the period. */
const MAX_JITTER = 0.1;
/** Distance of a time in whole milliseconds from the true one, with the error of a double. */
const HALF_MILLISECOND = 0.51;
/** Part of points that share a time, up to which the others are read at their own times. */
const MAX_SHARED = 0.05;
/** Delay from which points are missing, in usual distances of two arrivals. A late arrival is made up for by the next ones. */
const PAUSE = 4;
/** Arrivals before and after a pause that are compared. */
const PAUSE_REACH = 8;
/** Distance of points at uneven times that is called a gap, in medians. Times at random have one in a thousand. */
const UNEVEN_GAP = 10;

/**
 * Returns how points were sampled, or the reason for which that is not known.
 *
 * @param given Rate that a person gave, in Hz; null: none. The points are then read as evenly sampled, whatever their times.
 */
export function samplingOf(samples: SampleTimes, given: number | null = null): Sampling | NoSampling {
  const { times, clock = 'lines' } = samples;
  const count = times.length;
  if (count < MIN_POINTS) {
    return { reason: 'few-points', gaps: 0 };
  }
  if (given !== null) {
    return givenSampling(samples, clock, given);
  }
  if (clock === null) {
    return { reason: 'unknown-times' };
  }
  if (times[0] === times[count - 1]) {
    return { reason: 'one-time' };
  }
  const steps = stepsOf(times);
  const shared = steps.reduce((sum, step) => sum + (step === 0 ? 1 : 0), 0);
  if (shared > 0) {
    const bursts = burstSampling(samples, clock);
    return 'reason' in bursts && bursts.reason === 'uneven-bursts' && shared <= MAX_SHARED * count
      ? unevenSampling(times, steps, clock)
      : bursts;
  }
  // Arrivals of single lines are bursts of one. Times of a clock are times of the points.
  if ((clock === 'lines' || clock === 'mixed') && count < MIN_BURSTS) {
    return { reason: 'few-bursts', bursts: count };
  }
  const isWhole = times.every((time) => isNear(time - (times[0] as number), Math.round(time - (times[0] as number))));
  const even = lineThrough(times, (index) => index);
  if (isEven(even, isWhole)) {
    const first = Math.max(0, count - MAX_POINTS);
    const { slope, error, jitter } = even;
    const rate = 1_000 / slope;
    return {
      kind: 'even',
      first,
      count: count - first,
      gaps: 0,
      clock,
      rate,
      from: 'times',
      uncertainty: (rate * error) / slope,
      jitter,
      bursts: count,
    };
  }
  const period = periodOf(steps);
  const slots = new Float64Array(count);
  let gaps = 0;
  for (let index = 1; index < count; index++) {
    const passed = Math.max(1, Math.round((steps[index - 1] as number) / period));
    slots[index] = (slots[index - 1] as number) + passed;
    gaps += passed > 1 ? 1 : 0;
  }
  const grid = lineThrough(times, (index) => slots[index] as number);
  const uneven = unevenSampling(times, steps, clock);
  const isGrid = isEven(grid, isWhole);
  const line = isGrid || gaps > 0 ? grid : even;
  // Points about the times of a grid carry half its rate.
  const top = line.jitter < line.slope / 2 ? { top: 500 / line.slope, gaps } : {};
  return { ...uneven, ...top, isGrid };
}

const isNear = (one: number, other: number) => Math.abs(one - other) < 2e-3;

const isEven = ({ slope, jitter }: Line, isWhole: boolean) =>
  slope > 0 && (jitter <= MAX_JITTER * slope || (isWhole && jitter <= HALF_MILLISECOND));

function givenSampling(samples: SampleTimes, clock: PointClock | null, rate: number): EvenSampling | NoSampling {
  const runs = runsOf(samples);
  const hasTimes = clock !== null && runs.length > 1;
  const { part, gaps } = longestPart(runs, hasTimes);
  const [first, end] = [part[0]?.first ?? 0, part.at(-1)?.end ?? 0];
  if (end - first < MIN_POINTS) {
    return { reason: 'few-points', gaps };
  }
  const start = Math.max(first, end - MAX_POINTS);
  const about = { rate, from: 'given', uncertainty: 0, jitter: 0, bursts: part.length } as const;
  return { kind: 'even', first: start, count: end - start, gaps, clock, ...about };
}

function burstSampling(samples: SampleTimes, clock: PointClock): EvenSampling | NoSampling {
  const { part, gaps } = longestPart(runsOf(samples), true);
  if (part.length < MIN_BURSTS) {
    return { reason: 'few-bursts', bursts: part.length };
  }
  // The points of a burst were sampled until then, after the burst before.
  const { slope, error, jitter, spread } = lineThrough(
    Float64Array.from(part, ({ at }) => at),
    (index) => (part[index] as Run).end,
  );
  const [first, end] = [(part[0] as Run).first, (part.at(-1) as Run).end];
  const start = Math.max(first, end - MAX_POINTS);
  // Twice the error moves the highest frequency by one bin.
  if (!(slope > 0 && spread <= usualDistance(part) && error * (end - start) <= slope)) {
    return { reason: 'uneven-bursts', late: spread };
  }
  const rate = 1_000 / slope;
  const about = { rate, from: 'bursts', uncertainty: (rate * error) / slope, jitter, bursts: part.length } as const;
  return { kind: 'even', first: start, count: end - start, gaps, clock, ...about };
}

function unevenSampling(times: Float64Array, steps: Float64Array, clock: PointClock): UnevenSampling {
  const first = Math.max(0, times.length - MAX_UNEVEN_POINTS);
  const read = steps.subarray(first);
  const count = times.length - first;
  const rate = ((count - 1) * 1_000) / ((times.at(-1) as number) - (times[first] as number));
  const median = medianOf(read);
  return {
    kind: 'uneven',
    first,
    count,
    clock,
    rate,
    // Half the usual rate. Clusters of points carry no more than the mean of them does.
    top: median > 0 ? Math.min(500 / median, rate) : rate / 2,
    shortest: read.reduce((one, other) => Math.min(one, other)),
    longest: read.reduce((one, other) => Math.max(one, other)),
    gaps: read.reduce((sum, step) => sum + (step > UNEVEN_GAP * median ? 1 : 0), 0),
    isGrid: false,
  };
}

/** Points that share a time. */
interface Run {
  readonly at: number;
  /** Number of the first point, and number after the last one. */
  readonly first: number;
  readonly end: number;
  /** True: readings without a value are missing in front of it. */
  readonly isBroken: boolean;
}

function runsOf({ times, breaks = [] }: SampleTimes): readonly Run[] {
  const broken = new Set(breaks);
  const runs: Run[] = [];
  for (let first = 0; first < times.length; ) {
    let end = first + 1;
    while (end < times.length && times[end] === times[first] && !broken.has(end)) {
      end++;
    }
    runs.push({ at: times[first] as number, first, end, isBroken: broken.has(first) && first > 0 });
    first = end;
  }
  return runs;
}

/**
 * Returns the longest part without a gap, and the number of gaps.
 *
 * @param hasTimes False: only missing values part the runs.
 */
function longestPart(
  runs: readonly Run[],
  hasTimes: boolean,
): { readonly part: readonly Run[]; readonly gaps: number } {
  const usual = usualDistance(runs);
  const period = medianOf(
    Float64Array.from(runs.slice(1), (run, index) => (run.at - (runs[index] as Run).at) / (run.end - run.first)),
  );
  const delayOf = ({ at, end }: Run) => at - period * end;
  const isPause = (index: number) => {
    const before = runs.slice(Math.max(0, index - PAUSE_REACH), index).map(delayOf);
    const after = runs.slice(index, index + PAUSE_REACH).map(delayOf);
    return Math.min(...after) - Math.max(...before) > PAUSE * usual;
  };
  const starts = [0];
  for (let index = 1; index < runs.length; index++) {
    const run = runs[index] as Run;
    const distance = run.at - (runs[index - 1] as Run).at;
    if (run.isBroken || (hasTimes && distance > PAUSE * usual && isPause(index))) {
      starts.push(index);
    }
  }
  let part: readonly Run[] = [];
  const sizeOf = (some: readonly Run[]) => (some.at(-1)?.end ?? 0) - (some[0]?.first ?? 0);
  for (const [index, start] of starts.entries()) {
    const one = runs.slice(start, starts[index + 1] ?? runs.length);
    // The newer one of two that are as long.
    part = sizeOf(one) >= sizeOf(part) ? one : part;
  }
  return { part, gaps: starts.length - 1 };
}

/** Median distance of two arrivals, in milliseconds. */
const usualDistance = (runs: readonly Run[]): number =>
  medianOf(Float64Array.from(runs.slice(1), ({ at }, index) => at - (runs[index] as Run).at));

function stepsOf(times: Float64Array): Float64Array {
  const steps = new Float64Array(times.length - 1);
  for (let index = 0; index < steps.length; index++) {
    steps[index] = (times[index + 1] as number) - (times[index] as number);
  }
  return steps;
}

/** Returns the mean of the distances that are about the median: without gaps, and finer than whole milliseconds. */
function periodOf(steps: Float64Array): number {
  const median = medianOf(steps);
  const single = steps.filter((step) => Math.round(step / median) === 1);
  return single.reduce((sum, step) => sum + step, 0) / single.length;
}

function medianOf(values: Float64Array): number {
  return values.length === 0 ? 0 : (values.slice().sort()[values.length >> 1] as number);
}

interface Line {
  /** Milliseconds a count, and its standard error. */
  readonly slope: number;
  readonly error: number;
  /** Largest and root mean square distance of a time from the line, in milliseconds. */
  readonly jitter: number;
  readonly spread: number;
}

/** Fits times to a count that goes up (least squares). */
function lineThrough(times: Float64Array, countOf: (index: number) => number): Line {
  const size = times.length;
  const start = times[0] as number;
  let [meanCount, meanTime] = [0, 0];
  for (let index = 0; index < size; index++) {
    meanCount += countOf(index) / size;
    meanTime += ((times[index] as number) - start) / size;
  }
  let [squares, products] = [0, 0];
  for (let index = 0; index < size; index++) {
    const count = countOf(index) - meanCount;
    squares += count * count;
    products += count * ((times[index] as number) - start - meanTime);
  }
  const slope = products / squares;
  let [jitter, sum] = [0, 0];
  for (let index = 0; index < size; index++) {
    const rest = Math.abs((times[index] as number) - start - meanTime - slope * (countOf(index) - meanCount));
    jitter = Math.max(jitter, rest);
    sum += rest * rest;
  }
  return { slope, error: Math.sqrt(sum / Math.max(1, size - 2) / squares), jitter, spread: Math.sqrt(sum / size) };
}
