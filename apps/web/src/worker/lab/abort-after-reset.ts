/**
 * Delays the cancelling of a connect to a board that waits in its bootloader. A connect that is cancelled before its
 * reset leaves the board as it is, so the board would stay in its bootloader. After the reset, a cancelled connect
 * brings the board back to its program.
 */

/** Signal and step callback for the connect. */
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
