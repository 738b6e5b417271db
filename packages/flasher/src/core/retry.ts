/** Retries work that a fault interrupted, once the board answers again. */

/** Faults in a row after which `retry` gives up. */
export const maximumTries = 3;

export interface RetryOptions<Failure> {
  /** Converts a thrown error to a failure. Throws errors that are not failures of a board. */
  readonly failureOf: (error: unknown) => Failure;
  /** Returns true if another try may succeed. */
  readonly isTransient: (failure: Failure) => boolean;
  /**
   * Gets the board to answer again; rejects if it cannot.
   *
   * @param faults Number of faults in a row.
   */
  readonly recover: (failure: Failure, faults: number) => Promise<void>;
  /**
   * Returns how far the work is. A fault after progress counts as the first one again. Without this function, all
   * faults count.
   */
  readonly progress?: () => number;
}

/**
 * Runs `work` until it succeeds, at most `maximumTries` times without progress.
 *
 * @param work Must be repeatable.
 * @throws the last failure, or the rejection of `recover`.
 */
export async function retry<Result, Failure>(
  work: () => Promise<Result>,
  { failureOf, isTransient, recover, progress = () => 0 }: RetryOptions<Failure>,
): Promise<Result> {
  let faults = 0;
  for (let reached = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      const now = progress();
      faults = now > reached ? 1 : faults + 1;
      reached = now;
      if (!isTransient(failure) || faults >= maximumTries) {
        throw failure;
      }
      await recover(failure, faults);
    }
  }
}

/**
 * Gets a board to answer again after a failure. If the board stays silent, the first failure says more.
 *
 * @param failureOf Converts the rejection of `recover`. Throws errors that are not failures of a board.
 * @throws `failure`, or the failure of `recover`.
 */
export async function recoverFrom<Failure extends { readonly code: string }>(
  failure: Failure,
  recover: () => Promise<void>,
  failureOf: (error: unknown) => Failure,
): Promise<void> {
  try {
    await recover();
  } catch (error) {
    const second = failureOf(error);
    throw second.code === 'stopped-answering' ? failure : second;
  }
}

/** Most readings that are taken until two agree. */
const READINGS = 5;

/**
 * Reads a value without a checksum until two readings in a row agree, because the wire may damage a byte.
 *
 * @param isSame Returns true if two readings agree.
 * @returns The reading that agreed with the one before it; null if no two did.
 * @throws the rejection of `read`.
 */
export async function readAgreed<Result>(
  read: () => Promise<Result>,
  isSame: (one: Result, other: Result) => boolean,
): Promise<{ readonly reading: Result } | null> {
  let last = await read();
  for (let readings = 1; readings < READINGS; readings++) {
    const next = await read();
    if (isSame(last, next)) {
      return { reading: next };
    }
    last = next;
  }
  return null;
}
