/** What the bench does again and again with a board: looks at its levels, samples its voltages, counts its edges. */
import type { Clock } from '@wirebench/clock';
import { LabError } from '@wirebench/lab';
import { ProbeError } from '@wirebench/lab/probe';

interface Rhythm {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds between two times. */
  readonly pause: number;
  /** The same after a failure. */
  readonly faultPause: number;
}

/** Until the signal. What fails once may go well the next time. @throws what is no failure of the board. */
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
    // Ended early, nothing is repeated any more.
    await clock.sleep(rest, signal).catch(() => undefined);
  }
}
