/** Does work again that a fault interrupted, once the board answers again. */

/** How often something is tried until the board is given up. */
export const maximumTries = 3;

export interface RetryOptions<Failure> {
  /** What was thrown, as the failure to judge. Throws what is no failure of a board. */
  readonly failureOf: (error: unknown) => Failure;
  /** Whether another try may succeed. */
  readonly isTransient: (failure: Failure) => boolean;
  /** Gets the board to answer again. @param faults how many there were in a row. Rejects when it cannot. */
  readonly recover: (failure: Failure, faults: number) => Promise<void>;
  /** How far the work is: a fault after progress is the first one again. Without this, all faults count. */
  readonly progress?: () => number;
}

/**
 * @param work can be done twice.
 * @throws the last failure, or what `recover` rejects with.
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

/** How often something without a checksum is read until two readings agree. */
const READINGS = 5;

/**
 * Reads something that arrives without a checksum until two readings in a row agree: a damaged byte on the wire must not become a fact.
 *
 * @param isSame Whether two readings agree.
 * @returns The reading that agreed with the one before it; null when no two did.
 * @throws What `read` rejects with.
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
