/**
 * Edges at a pin, where the chip has the hardware: counted by PCNT, and timed by RMT for their period. Written from documents, tried on
 * nothing. Both only listen: a pin of another instrument stays as that has set it.
 */
import type { LabChip, PcntTable, RmtTable } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { gateEntries, inputEntries, inputSelectOf, inputSignalEntry, usablePin } from './routing.ts';

export type CountedEdges = 'rising' | 'falling' | 'both';

export interface EdgeSource {
  readonly pin: number;
  readonly edges: CountedEdges;
  /** Another instrument has the pin: it is not made an input. */
  readonly isShared: boolean;
}

/** @throws LabError `refused` where the chip has no counter, or for a pin that cannot be used. Counts from 0. */
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

/** Begins again at 0. */
export function resetEdgeCount(chip: LabChip): Macro<void> {
  return setting('Edges: reset the count', resetEntries(pcntOf(chip)));
}

/** As the counter stands, 0 to 32,766; then it starts again at 0. */
export function edgeCount(chip: LabChip): Macro<number> {
  return {
    title: 'Edges: count',
    steps: [{ kind: 'read', addresses: [pcntOf(chip).count] }],
    repeatable: true,
    value: (words) => wordAt(words, 0) & 0xffff,
  };
}

/** Edges that the counter takes before it starts again at 0: more of them between two reads are not noticed. */
export const countRound = (chip: LabChip): number => pcntOf(chip).limit;

/** Edges from one read of the counter to the next, if it has started again at most once. */
export function edgesBetween(chip: LabChip, before: number, now: number): number {
  return now >= before ? now - before : now + countRound(chip) - before;
}

/** The counter and the timer listen to no pin any more. */
export function stopCounting(chip: LabChip): Macro<void> {
  const { signals } = pcntOf(chip);
  const inputs = [signals.input, signals.control, ...(chip.rmt === null ? [] : [chip.rmt.signal])];
  return setting(
    'Edges: end',
    inputs.map((signal) => constantEntry(chip, signal, chip.gpio.constantLow)),
  );
}

/** How finely levels are timed, and for how long. */
export interface PeriodRange {
  /** Divisor of the crystal: a tick is 25 ns × divisor with a crystal of 40 MHz. */
  readonly divisor: number;
  /** Milliseconds to listen for. */
  readonly gate: number;
}

/** From the finest on: levels of up to 0.8, 16 and 209 ms with a crystal of 40 MHz, so periods down to some 600, 30 and 2.4 Hz. */
export const periodRanges = [
  { divisor: 1, gate: 20 },
  { divisor: 20, gate: 200 },
  { divisor: 255, gate: 1_200 },
] as const satisfies readonly PeriodRange[];

/** Times in nanoseconds. */
export interface EdgePeriod {
  /** From one rising edge to the next, mean. */
  readonly mean: number;
  /** The mean is not known better than that, to either side; what the crystal is off comes on top. */
  readonly resolution: number;
  readonly shortest: number;
  readonly longest: number;
  /** A level that was timed may be so much longer or shorter. */
  readonly tick: number;
}

interface Level {
  readonly high: boolean;
  /** Ticks. */
  readonly ticks: number;
}

/** Bits of CONF1 (ESP32 TRM, `RMT_CHnCONF1_REG`). */
const rmtBits = {
  receive: 1 << 1,
  resets: (1 << 2) | (1 << 3),
  receiverOwns: 1 << 5,
  crystalClock: 1 << 17,
} as const;
/** Ticks: the longest level that an item holds. A longer one ends the reception. */
const longestLevel = 0x7fff;

/**
 * Begins to time levels at a pin that `countEdges` listens to. An empty memory first: what is not overwritten is the end. The receiver
 * owns the memory after a reset, and where nobody took what came before: it is taken from it to be emptied.
 * @throws LabError `refused` where the chip has no RMT that the lab knows, or for a pin that cannot be used.
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

/** What came since `beginPeriod`; null for fewer than two rising edges, or a level that was too long for the range. */
export function takePeriod(chip: LabChip, { divisor }: PeriodRange): Macro<EdgePeriod | null> {
  const rmt = rmtOf(chip);
  const tick = (divisor * 1_000) / chip.crystal;
  return {
    title: 'Edges: period',
    steps: [
      // The memory can be read once the receiver does not own it.
      { kind: 'write', entries: [entry(rmt.config1, rmtBits.crystalClock)] },
      { kind: 'read', addresses: Array.from({ length: rmt.words }, (_, index) => rmt.memory + 4 * index) },
    ],
    repeatable: true,
    value: (words) => periodOf(levelsOf(words), tick),
  };
}

/** Two levels a word, the first in the lower half: 15 bits of duration, one of level. A duration of 0 is the end. */
function levelsOf(words: readonly number[]): readonly Level[] {
  const halves = words.flatMap((word) => [word & 0xffff, word >>> 16]);
  const end = halves.findIndex((half) => (half & 0x7fff) === 0);
  return halves
    .slice(0, end === -1 ? halves.length : end)
    .map((half) => ({ high: (half & 0x8000) !== 0, ticks: half & 0x7fff }));
}

/**
 * From the first rising edge to the last. Before a first level there may be no edge that was seen. The first and the last edge are each known to
 * the tick that they fell in.
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
