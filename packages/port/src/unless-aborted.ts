export const aborted = Symbol('aborted');

/** Resolves as soon as the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Returns the result of `work`, or `aborted` as soon as the signal aborts. Leaves no listener behind. Rejects if
 * `work` does.
 */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | typeof aborted> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(aborted);
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
