/** Runs work on virtual time that also waits for the real machine. */
import type { VirtualClock } from '@wirebench/clock';

/** Virtual milliseconds between two checks whether the work has ended. */
export const STRIDE = 10;
/** Virtual milliseconds after which a test counts as hung. */
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
 * Advances time until `work` has ended, and returns its result. The machine loads modules and calculates hashes in
 * real time. The virtual clock stands still while no timer is pending.
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
