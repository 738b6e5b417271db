/**
 * Cancelling a connect to a board that waits in its bootloader. A connect that is cancelled before it has reset the board leaves the
 * board as it is, which would be there for good: such an abort waits until the board was reset, and is then brought back.
 */

/** What a connect is given, and tells its steps to. */
interface LateAbort {
  readonly signal: AbortSignal;
  readonly onStep: (step: string) => void;
}

export function abortAfterReset(signal: AbortSignal): LateAbort {
  const late = new AbortController();
  let isReset = false;
  const pass = () => {
    if (isReset && signal.aborted) {
      late.abort(signal.reason);
    }
  };
  signal.addEventListener('abort', pass);
  return {
    signal: late.signal,
    onStep: (step) => {
      isReset ||= step === 'resetting';
      pass();
    },
  };
}
