/**
 * Resets a board by its control lines, as Espressif's boards and compatible ones support it
 * (`port/esp-reset.ts`). On other boards the effect depends on the vendor: an Arduino Uno resets when DTR is
 * asserted, a plain bridge does nothing. Success cannot be detected here. The board's output shows it.
 */
import type { Clock } from '@wirebench/clock';
import {
  bootloaderSteps,
  type ControlLines,
  espPortKind,
  fallsSilent,
  type LineStep,
  passesLateOutput,
  playSteps,
  programSteps,
  type SignalChange,
  type StepPlayer,
  strapTime,
} from '@wirebench/port';

export interface ResetOptions {
  readonly signal?: AbortSignal;
  /**
   * Called once, right before the program begins, or after the loss of its port: what was received until then is of the
   * program before. That is the end of the held reset. A board that is not held begins when DTR rises at the end, as an
   * Arduino Uno does; the call comes while it starts. A remote host plays its sequence at once, and the call comes before it.
   *
   * @param wasHeld False: the port went on receiving while the reset was held, so the lines may not restart this board.
   */
  readonly released?: (wasHeld: boolean) => void;
}

/** `run`: the board starts its program. `boot`: it waits in its bootloader for a flasher. */
export type ResetMode = 'run' | 'boot';

export interface ResetTarget {
  readonly info: SerialPortInfo | null;
  /** Lines as they are now. They are restored afterwards. */
  readonly signals: ControlLines;
  /** Aborts when the port is closed or lost. */
  readonly over: AbortSignal;
  /** Returns the number of bytes that the port has received. */
  readonly received: () => number;
  setSignals(change: SignalChange): Promise<void>;
  /** Plays the sequence beside the board; null for a local port. */
  readonly player: StepPlayer | null;
}

/**
 * Plays the sequence and restores the lines, also after an abort or an error. Rejects if the lines cannot be set, and
 * with the reason of an abort.
 *
 * @returns False if the port was closed or lost before the end. Chips on USB that come back under another identity do
 *   this.
 */
export async function resetBoard(
  clock: Clock,
  target: ResetTarget,
  mode: ResetMode,
  { signal, released }: ResetOptions = {},
): Promise<boolean> {
  const { signals } = target;
  const kind = espPortKind(target.info ?? {});
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
  let wasHeld = true;
  let isLate = false;
  try {
    // A remote host plays the sequence at once.
    const held = target.player === null ? steps.slice(0, -1) : [];
    await play(held, stop);
    if (released !== undefined && held.length > 0) {
      wasHeld = (await fallsSilent(clock, target.received, stop)) || stop.aborted;
    }
    isLate = !wasHeld && signals.dtr;
    if (!isLate && signal?.aborted !== true) {
      released?.(wasHeld);
    }
    if (!stop.aborted) {
      await play(steps.slice(held.length), stop);
    }
    if (signal?.aborted) {
      // The previous lines may be those of the bootloader, so the chip must leave its reset first.
      await play([[false, false, strapTime]], target.over);
    }
  } finally {
    await play([[signals.dtr, signals.rts, 0]], target.over);
  }
  if (isLate) {
    await passesLateOutput(clock, stop);
    if (signal?.aborted !== true) {
      released?.(false);
    }
  }
  if (!target.over.aborted) {
    signal?.throwIfAborted();
  }
  return !target.over.aborted;
}
