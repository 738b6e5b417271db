/** Times between edges by RMT, and counts of edges by PCNT, where the chip has them. Written from documents, tried on nothing. */
import type { LabChip, PcntTable, RmtTable } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, setting, wordAt } from '../macro.ts';
import { gateEntries, inputEntries, inputSelectOf, inputSignalEntry } from './routing.ts';

export interface EdgeCapture {
  readonly pin: number;
  /** Divisor of the crystal, 1 to 255: a tick is 25 ns × divisor with a crystal of 40 MHz. */
  readonly divisor: number;
  /** Ticks without an edge that end the capture, 1 to 65,535. */
  readonly idle: number;
}

interface Level {
  readonly high: boolean;
  /** Nanoseconds. */
  readonly duration: number;
}

export interface EdgeTimes {
  /** False: nothing ended the capture while it was waited for; `levels` is empty. */
  readonly finished: boolean;
  readonly levels: readonly Level[];
  /** Nanoseconds from one rising edge to the next, mean; null with fewer than two. */
  readonly period: number | null;
}

/** Bits of CONF1 (ESP32 TRM, `RMT_CHnCONF1_REG`). */
const rmtBits = {
  receive: 1 << 1,
  resets: (1 << 2) | (1 << 3),
  receiverOwns: 1 << 5,
  crystalClock: 1 << 17,
} as const;
/** Reads of the interrupt until the capture must have ended. */
const TRIES = 200;

/** @throws LabError `refused` where the chip has no RMT that the lab knows, or for a pin or numbers that cannot be. */
export function captureEdges(chip: LabChip, { pin, divisor, idle }: EdgeCapture): Macro<EdgeTimes> {
  const rmt = rmtOf(chip);
  if (!(Number.isInteger(divisor) && divisor >= 1 && divisor <= 255 && idle >= 1 && idle <= 0xffff)) {
    throw refused('The divisor is 1 to 255, the idle time 1 to 65,535 ticks.');
  }
  const { crystalClock, receiverOwns, resets, receive } = rmtBits;
  const ended = (word: number) => (word & rmt.ended) !== 0;
  const tick = (divisor * 1000) / chip.crystal;
  return {
    title: `Edges: times at GPIO ${pin}`,
    steps: [
      {
        kind: 'write',
        entries: [
          ...gateEntries(chip, ['rmt']),
          ...inputEntries(chip, pin, 'none'),
          inputSignalEntry(chip, pin, rmt.signal),
          entry(rmt.apbConfig.address, rmt.apbConfig.value, { mask: rmt.apbConfig.value }),
          entry(rmt.config0, (rmt.config0Flags | (rmt.blocks << 24) | (idle << 8) | divisor) >>> 0),
          entry(rmt.config1, crystalClock | receiverOwns | resets),
          entry(rmt.interruptClear, rmt.ended),
          entry(rmt.config1, crystalClock | receiverOwns | receive),
        ],
      },
      { kind: 'poll', address: rmt.interruptRaw, until: ended, tries: TRIES },
      // The memory can be read once the receiver does not own it.
      { kind: 'write', entries: [entry(rmt.config1, crystalClock)] },
      { kind: 'read', addresses: Array.from({ length: rmt.words }, (_, index) => rmt.memory + 4 * index) },
    ],
    repeatable: true,
    value: ([raw, ...words]) =>
      raw === undefined || !ended(raw) ? { finished: false, levels: [], period: null } : timesOf(words, tick),
  };
}

/** Two levels a word, the first in the lower half: 15 bits of duration, one of level. A duration of 0 is the end. */
function timesOf(words: readonly number[], tick: number): EdgeTimes {
  const levels: Level[] = [];
  for (const half of words.flatMap((word) => [word & 0xffff, word >>> 16])) {
    const ticks = half & 0x7fff;
    if (ticks === 0) {
      break;
    }
    levels.push({ high: (half & 0x8000) !== 0, duration: ticks * tick });
  }
  return { finished: true, levels, period: periodOf(levels) };
}

/** From the first rising edge to the last, by the number of them between. */
function periodOf(levels: readonly Level[]): number | null {
  const rising = levels.flatMap(({ high }, index) => (high && index > 0 ? [index] : []));
  const [first, last] = [rising[0], rising.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    return null;
  }
  const between = levels.slice(first, last).reduce((sum, { duration }) => sum + duration, 0);
  return between / (rising.length - 1);
}

function rmtOf({ rmt, label }: LabChip): RmtTable {
  if (rmt === null) {
    throw refused(`The lab cannot capture edges on the ${label} yet.`);
  }
  return rmt;
}

function pcntOf({ pcnt, label }: LabChip): PcntTable {
  if (pcnt === null) {
    throw refused(`The ${label} has no pulse counter.`);
  }
  return pcnt;
}

/** Counts rising edges from 0. @throws LabError `refused` where the chip has no counter, or for a pin that cannot be used. */
export function countUp(chip: LabChip, pin: number): Macro<void> {
  const pcnt = pcntOf(chip);
  return setting(`Edges: count at GPIO ${pin}`, [
    ...gateEntries(chip, ['pcnt']),
    ...inputEntries(chip, pin, 'none'),
    inputSignalEntry(chip, pin, pcnt.signals.input),
    entry(inputSelectOf(chip, pcnt.signals.control), chip.gpio.constantHigh | chip.gpio.inputRouted),
    entry(pcnt.config0, pcnt.countRising),
    entry(pcnt.config2, pcnt.highestCount),
    entry(pcnt.control, pcnt.reset, { mask: pcnt.reset }),
    entry(pcnt.control, 0, { mask: pcnt.reset | pcnt.pause }),
  ]);
}

/** Rising edges since `countUp`, 0 to 32,767; then it starts again at 0. */
export function edgeCount(chip: LabChip): Macro<number> {
  return {
    title: 'Edges: count',
    steps: [{ kind: 'read', addresses: [pcntOf(chip).count] }],
    repeatable: true,
    value: (words) => wordAt(words, 0) & 0xffff,
  };
}
