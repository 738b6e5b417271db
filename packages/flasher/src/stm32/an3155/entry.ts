/**
 * Into the bootloader and out of it by the control lines of the adapter: BOOT0 high while the part comes out of reset starts
 * system memory (AN2606 section 4, "Bootloader activation", pattern 1). How the lines are wired differs from adapter to adapter.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '@wirebench/serial/port';
import { type BytePort, playLines } from '../../byte-port.ts';
import type { StmEntry } from '../stm-board.ts';

/** NRST is held low for this long, in milliseconds: a pulse of 20 µs does, capacitors make it longer. */
const HOLD = 50;
/**
 * From reset to a bootloader that listens, in milliseconds: AN2606 "Bootloader timing" has 84.59 for the F4. One that takes longer
 * is met by the sync bytes after the first.
 */
const START = 100;

/** Ways of wiring that are met, the usual one first. */
export const stmEntries = {
  /** Through transistors or inverters: a line that is asserted resets, or makes BOOT0 high. */
  usual: { kind: 'lines', reset: 'dtr', resetInverted: false, boot0Inverted: false },
  swapped: { kind: 'lines', reset: 'rts', resetInverted: false, boot0Inverted: false },
  /** Straight wires from an adapter: an asserted line is low, so DTR resets and RTS makes BOOT0 low. */
  direct: { kind: 'lines', reset: 'dtr', resetInverted: false, boot0Inverted: true },
  'direct-swapped': { kind: 'lines', reset: 'rts', resetInverted: false, boot0Inverted: true },
  inverted: { kind: 'lines', reset: 'dtr', resetInverted: true, boot0Inverted: true },
  'inverted-swapped': { kind: 'lines', reset: 'rts', resetInverted: true, boot0Inverted: true },
  manual: { kind: 'manual', reset: 'dtr', resetInverted: false, boot0Inverted: false },
} satisfies Record<string, StmEntry>;

export type StmEntryName = keyof typeof stmEntries;

/** What the two pins shall be. */
interface Pins {
  readonly inReset: boolean;
  readonly boot0: boolean;
}

/**
 * The control lines that make the pins so. A port that is opened raises both, which may hold the part in reset: whoever opens it for
 * something else than the bootloader sets these.
 */
export function linesFor(entry: StmEntry, { inReset, boot0 }: Pins): ControlLines {
  const reset = inReset !== entry.resetInverted;
  const boot = boot0 !== entry.boot0Inverted;
  return entry.reset === 'dtr' ? { dtr: reset, rts: boot } : { dtr: boot, rts: reset };
}

/**
 * Pulses NRST with BOOT0 high or low; BOOT0 stays so.
 * @throws the reason of `signal`, with the reset let go.
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
