/** Repeats work with a board: reading its levels, sampling its voltages, counting its edges. */
import type { Clock } from '@wirebench/clock';
import { LabError } from '@wirebench/lab';
import { ProbeError } from '@wirebench/lab/probe';

interface Rhythm {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds between two runs. */
  readonly pause: number;
  /** Milliseconds after a failed run. */
  readonly faultPause: number;
}

/**
 * Repeats until the signal aborts. A failure of the board is retried.
 * @throws Other errors than those of the board or its program.
 */
export async function repeat(act: () => Promise<void>, { clock, signal, pause, faultPause }: Rhythm): Promise<void> {
  while (!signal.aborted) {
    let rest = pause;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof LabError || error instanceof ProbeError)) {
        throw error;
      }
      rest = faultPause;
    }
    // An abort of the sleep ends the loop.
    await clock.sleep(rest, signal).catch(() => undefined);
  }
}
