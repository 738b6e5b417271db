/**
 * Enters and leaves the bootloader by the control lines of the adapter. BOOT0 high during a reset starts system
 * memory (AN2606 section 4, "Bootloader activation", pattern 1). Adapters wire the lines in different ways.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '@wirebench/port';
import { type BytePort, playLines } from '../../byte-port.ts';
import type { StmEntry } from '../stm-board.ts';

/**
 * Time for which NRST is held low, in milliseconds. A pulse of 20 µs is enough without capacitors, which make it
 * longer.
 */
const HOLD = 50;
/**
 * Time from reset until a bootloader listens, in milliseconds. AN2606 "Bootloader timing" has 84.59 for the F4. A
 * slower one receives later sync bytes.
 */
const START = 100;

/** Known ways of wiring, the most usual first. */
export const stmEntries = {
  /** Through transistors or inverters: an asserted line resets, or makes BOOT0 high. */
  usual: { kind: 'lines', reset: 'dtr', resetInverted: false, boot0Inverted: false },
  swapped: { kind: 'lines', reset: 'rts', resetInverted: false, boot0Inverted: false },
  /** Direct wires from an adapter: an asserted line is low, so DTR resets and RTS makes BOOT0 low. */
  direct: { kind: 'lines', reset: 'dtr', resetInverted: false, boot0Inverted: true },
  'direct-swapped': { kind: 'lines', reset: 'rts', resetInverted: false, boot0Inverted: true },
  inverted: { kind: 'lines', reset: 'dtr', resetInverted: true, boot0Inverted: true },
  'inverted-swapped': { kind: 'lines', reset: 'rts', resetInverted: true, boot0Inverted: true },
  manual: { kind: 'manual', reset: 'dtr', resetInverted: false, boot0Inverted: false },
} satisfies Record<string, StmEntry>;

export type StmEntryName = keyof typeof stmEntries;

/** Wanted states of NRST and BOOT0. */
interface Pins {
  readonly inReset: boolean;
  readonly boot0: boolean;
}

/**
 * Returns the control lines for these pins. Opening a port raises both lines, which may hold the part in reset. A
 * caller that opens it for another purpose than the bootloader has to set these.
 */
export function linesFor(entry: StmEntry, { inReset, boot0 }: Pins): ControlLines {
  const reset = inReset !== entry.resetInverted;
  const boot = boot0 !== entry.boot0Inverted;
  return entry.reset === 'dtr' ? { dtr: reset, rts: boot } : { dtr: boot, rts: reset };
}

/**
 * Pulses NRST with BOOT0 high or low. BOOT0 keeps its level.
 *
 * @throws the reason of `signal`; NRST is released then.
 */
export function resetPart(
  clock: Clock,
  port: BytePort,
  entry: StmEntry,
  into: 'bootloader' | 'program',
  signal: AbortSignal,
): Promise<void> {
  const boot0 = into === 'bootloader';
  const held = linesFor(entry, { inReset: true, boot0 });
  const free = linesFor(entry, { inReset: false, boot0 });
  const steps = [
    [held.dtr, held.rts, HOLD],
    [free.dtr, free.rts, boot0 ? START : 0],
  ] as const;
  return playLines(clock, port, steps, signal, free);
}
