/**
 * Edges at a pin, on chips with the hardware: PCNT counts them, and RMT times them for their period. Written from
 * documents and not tried on hardware. Both only listen: a pin that another instrument uses keeps its settings.
 */
import type { LabChip, PcntTable, RmtTable } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { gateEntries, inputEntries, inputSelectOf, inputSignalEntry, usablePin } from './routing.ts';

export type CountedEdges = 'rising' | 'falling' | 'both';

export interface EdgeSource {
  readonly pin: number;
  readonly edges: CountedEdges;
  /** True: another instrument uses the pin, so it is not made an input. */
  readonly isShared: boolean;
}

/**
 * Starts counting at 0.
 *
 * @throws LabError `refused` if the chip has no counter, or for a pin that cannot be used.
 */
export function countEdges(chip: LabChip, { pin, edges, isShared }: EdgeSource): Macro<void> {
  const pcnt = pcntOf(chip);
  usablePin(chip, pin);
  const counted = (edges === 'falling' ? 0 : pcnt.countRising) | (edges === 'rising' ? 0 : pcnt.countFalling);
  return setting(`Edges: count at GPIO ${pin}`, [
    ...gateEntries(chip, ['pcnt']),
    ...(isShared ? [] : inputEntries(chip, pin, 'none')),
    inputSignalEntry(chip, pin, pcnt.signals.input),
    constantEntry(chip, pcnt.signals.control, chip.gpio.constantHigh),
    entry(pcnt.config0, counted | pcnt.limited),
    entry(pcnt.config2, pcnt.limit),
    ...resetEntries(pcnt),
  ]);
}

/** Resets the counter to 0. */
export function resetEdgeCount(chip: LabChip): Macro<void> {
  return setting('Edges: reset the count', resetEntries(pcntOf(chip)));
}

/** Reads the counter, 0 to 32,766; after that it restarts at 0. */
export function edgeCount(chip: LabChip): Macro<number> {
  return {
    title: 'Edges: count',
    steps: [{ kind: 'read', addresses: [pcntOf(chip).count] }],
    repeatable: true,
    value: (words) => wordAt(words, 0) & 0xffff,
  };
}

/** Returns the count at which the counter restarts at 0. More edges between two reads go unnoticed. */
export const countRound = (chip: LabChip): number => pcntOf(chip).limit;

/** Returns the edges between two reads of the counter, provided that it restarted at most once. */
export function edgesBetween(chip: LabChip, before: number, now: number): number {
  return now >= before ? now - before : now + countRound(chip) - before;
}

/** Disconnects the counter and the timer from their pin. */
export function stopCounting(chip: LabChip): Macro<void> {
  const { signals } = pcntOf(chip);
  const inputs = [signals.input, signals.control, ...(chip.rmt === null ? [] : [chip.rmt.signal])];
  return setting(
    'Edges: end',
    inputs.map((signal) => constantEntry(chip, signal, chip.gpio.constantLow)),
  );
}

/** Resolution and duration of the timing. */
export interface PeriodRange {
  /** Divisor of the crystal: a tick is 25 ns × divisor with a crystal of 40 MHz. */
  readonly divisor: number;
  /** Listening time in milliseconds. */
  readonly gate: number;
}

/**
 * Sorted from the finest resolution. With a 40 MHz crystal they time levels of up to 0.8, 16 and 209 ms, so periods
 * down to about 600, 30 and 2.4 Hz.
 */
export const periodRanges = [
  { divisor: 1, gate: 20 },
  { divisor: 20, gate: 200 },
  { divisor: 255, gate: 1_200 },
] as const satisfies readonly PeriodRange[];

/** Times in nanoseconds. */
export interface EdgePeriod {
  /** Mean time between rising edges. */
  readonly mean: number;
  /** Uncertainty of the mean in each direction. The crystal's own error adds to it. */
  readonly resolution: number;
  readonly shortest: number;
  readonly longest: number;
  /** Length of a tick: a timed level may be longer or shorter by this much. */
  readonly tick: number;
}

interface Level {
  readonly high: boolean;
  /** Duration in ticks. */
  readonly ticks: number;
}

/** Bits of CONF1 (ESP32 TRM, `RMT_CHnCONF1_REG`). */
const rmtBits = {
  receive: 1 << 1,
  resets: (1 << 2) | (1 << 3),
  receiverOwns: 1 << 5,
  crystalClock: 1 << 17,
} as const;
/** Longest level that an item holds, in ticks. A longer one ends the reception. */
const longestLevel = 0x7fff;

/**
 * Starts timing levels at a pin that `countEdges` listens to. The memory is cleared first, because a zero marks the
 * end of the items. The receiver owns the memory after a reset, and after a period that was not taken. Ownership is
 * therefore withdrawn before clearing.
 *
 * @throws LabError `refused` if the lab does not support the chip's RMT, or for a pin that cannot be used.
 */
export function beginPeriod(chip: LabChip, pin: number, { divisor }: PeriodRange): Macro<void> {
  const rmt = rmtOf(chip);
  usablePin(chip, pin);
  const { crystalClock, receiverOwns, resets, receive } = rmtBits;
  return setting(`Edges: time at GPIO ${pin}`, [
    ...gateEntries(chip, ['rmt']),
    inputSignalEntry(chip, pin, rmt.signal),
    entry(rmt.apbConfig.address, rmt.apbConfig.value, { mask: rmt.apbConfig.value }),
    entry(rmt.config1, crystalClock),
    ...Array.from({ length: rmt.words }, (_, index) => entry(rmt.memory + 4 * index, 0)),
    entry(rmt.config0, (rmt.config0Flags | (rmt.blocks << 24) | (longestLevel << 8) | divisor) >>> 0),
    entry(rmt.config1, crystalClock | receiverOwns | resets),
    entry(rmt.config1, crystalClock | receiverOwns | receive),
  ]);
}

/**
 * Returns the period measured since `beginPeriod`. Null for fewer than two rising edges, or for a level too long for
 * the range.
 */
export function takePeriod(chip: LabChip, { divisor }: PeriodRange): Macro<EdgePeriod | null> {
  const rmt = rmtOf(chip);
  const tick = (divisor * 1_000) / chip.crystal;
  return {
    title: 'Edges: period',
    steps: [
      // The memory is readable only while the receiver does not own it.
      { kind: 'write', entries: [entry(rmt.config1, rmtBits.crystalClock)] },
      { kind: 'read', addresses: Array.from({ length: rmt.words }, (_, index) => rmt.memory + 4 * index) },
    ],
    repeatable: true,
    value: (words) => periodOf(levelsOf(words), tick),
  };
}

/**
 * Decodes the memory: two levels a word, the first in the lower half. Each half has 15 bits of duration and one of
 * level. A duration of 0 marks the end.
 */
function levelsOf(words: readonly number[]): readonly Level[] {
  const halves = words.flatMap((word) => [word & 0xffff, word >>> 16]);
  const end = halves.findIndex((half) => (half & 0x7fff) === 0);
  return halves
    .slice(0, end === -1 ? halves.length : end)
    .map((half) => ({ high: (half & 0x8000) !== 0, ticks: half & 0x7fff }));
}

/**
 * Measures from the first to the last rising edge. The start of the first level is skipped, because it may not be an
 * edge. The first and last edge are each accurate to one tick.
 */
function periodOf(levels: readonly Level[], tick: number): EdgePeriod | null {
  const rising = levels.flatMap(({ high }, index) => (high && index > 0 ? [index] : []));
  const periods = rising
    .slice(1)
    .map((end, index) => levels.slice(rising[index], end).reduce((sum, { ticks }) => sum + ticks, 0));
  if (periods.length === 0) {
    return null;
  }
  const sum = periods.reduce((all, ticks) => all + ticks, 0);
  return {
    mean: (sum * tick) / periods.length,
    resolution: tick / periods.length,
    shortest: Math.min(...periods) * tick,
    longest: Math.max(...periods) * tick,
    tick,
  };
}

function resetEntries({ control, reset, pause }: PcntTable): RegisterEntry[] {
  return [entry(control, reset, { mask: reset }), entry(control, 0, { mask: reset | pause })];
}

function constantEntry(chip: LabChip, signal: number, constant: number): RegisterEntry {
  return entry(inputSelectOf(chip, signal), constant | chip.gpio.inputRouted);
}

function rmtOf({ rmt, label }: LabChip): RmtTable {
  if (rmt === null) {
    throw refused(`The lab cannot time edges on the ${label}.`);
  }
  return rmt;
}

function pcntOf({ pcnt, label }: LabChip): PcntTable {
  if (pcnt === null) {
    throw refused(`The ${label} has no pulse counter.`);
  }
  return pcnt;
}
