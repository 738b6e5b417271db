/**
 * Resetting a board by its control lines, as Espressif's boards and their many relatives have it (`port/espressif-reset.ts`).
 * On other boards the lines do what their maker thought of: an Arduino Uno resets when DTR is asserted, a plain bridge does
 * nothing. Nobody can tell from here whether a board has been reset; what it says then shows it.
 */
import type { Clock } from '@wirebench/clock';
import {
  type ControlLines,
  type LineStep,
  playSteps,
  type SignalChange,
  type StepPlayer,
} from '../port/control-lines.ts';
import { bootloaderSteps, espressifPortOf, programSteps, strapTime } from '../port/espressif-reset.ts';

/** `run`: the board starts its program. `boot`: it waits in its bootloader for a flasher. */
export type ResetMode = 'run' | 'boot';

/** What the job needs of a session. */
export interface ResetTarget {
  readonly info: SerialPortInfo | null;
  /** The lines as they are now, and as they shall be afterwards. */
  readonly signals: ControlLines;
  /** Aborts when the port is being closed, or lost. */
  readonly over: AbortSignal;
  setSignals(change: SignalChange): Promise<void>;
  /** A port that is somewhere else plays the sequence there. */
  readonly player: StepPlayer | null;
}

/**
 * Plays the sequence and puts the lines back as they were. False when the port was closed or lost before the end, as happens
 * to chips on USB that come back under another identity. Rejects when the lines cannot be set, and with the reason of an
 * abort; then, too, the lines are put back.
 */
export async function resetBoard(
  clock: Clock,
  target: ResetTarget,
  mode: ResetMode,
  signal?: AbortSignal,
): Promise<boolean> {
  const { signals } = target;
  const kind = espressifPortOf(target.info ?? {});
  const steps = mode === 'boot' ? bootloaderSteps(kind, signals) : programSteps(kind, strapTime);
  const stop = AbortSignal.any([target.over, ...(signal === undefined ? [] : [signal])]);
  const play = async (steps: readonly LineStep[], until: AbortSignal) => {
    try {
      const { player } = target;
      await (player === null
        ? playSteps(clock, steps, (lines) => target.setSignals(lines), until)
        : player.playSteps(steps, until));
    } catch (error) {
      if (error !== until.reason) {
        throw error;
      }
    }
  };
  try {
    await play(steps, stop);
    if (signal?.aborted) {
      // The lines as they were may be those of the bootloader: the chip leaves its reset first.
      await play([[false, false, strapTime]], target.over);
    }
  } finally {
    await play([[signals.dtr, signals.rts, 0]], target.over);
  }
  if (!target.over.aborted) {
    signal?.throwIfAborted();
  }
  return !target.over.aborted;
}
