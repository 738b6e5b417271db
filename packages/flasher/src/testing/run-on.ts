/** Virtual time for work that also waits for the machine. */
import type { VirtualClock } from '@wirebench/clock';

/** Virtual milliseconds between two looks at whether something has ended. */
export const STRIDE = 10;
/** Virtual milliseconds after which a test has hung. */
const HUNG = 900_000;

/** Digests that a thread of the machine calculates now. Virtual time must not pass while it does: a loaded machine takes long. */
let digests = 0;
const digest = crypto.subtle.digest.bind(crypto.subtle);
crypto.subtle.digest = async (...request: Parameters<SubtleCrypto['digest']>) => {
  digests++;
  try {
    return await digest(...request);
  } finally {
    digests--;
  }
};

/**
 * Moves time on until `work` has ended, and gives what it gives. Modules are loaded and hashes are calculated by the machine: where
 * nothing waits for the clock, it stands still meanwhile.
 */
export async function runOn<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  const start = clock.now();
  for (await clock.settle(); !ended; ) {
    if (clock.now() - start > HUNG) {
      throw new Error('Nothing has ended for fifteen minutes.');
    }
    await new Promise(setImmediate);
    if (clock.pending > 0 && digests === 0) {
      await clock.advance(STRIDE);
    } else {
      await clock.settle();
    }
  }
  return work;
}
