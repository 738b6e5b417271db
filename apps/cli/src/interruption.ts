/** The ends that come from outside: Ctrl+C, a closed terminal, and a reader that has gone (`| head`). */
import { type ExitCode, exitCodes } from './exit-code.ts';

export interface Interruption {
  /** Aborts at the first of them. A second Ctrl+C ends the process at once. */
  readonly signal: AbortSignal;
  /** Aborts when the reader of the output has gone. */
  readonly readerGone: AbortSignal;
  /** Code of the end that has come. A reader that has gone is no failure. */
  exitCode(): ExitCode;
}

/** @param goesOn True: a reader that has gone does not end the work, which may be a write that must not be left half done. */
export function interruption(goesOn = false): Interruption {
  const controller = new AbortController();
  const reader = new AbortController();
  let code: ExitCode = exitCodes.interrupted;
  const interrupt = () => {
    if (controller.signal.aborted) {
      process.exit(exitCodes.interrupted);
    }
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, interrupt);
  }
  process.stdout.on('error', () => {
    reader.abort();
    if (!goesOn && !controller.signal.aborted) {
      code = exitCodes.ok;
      controller.abort();
    }
  });
  // The reader of the notices may be the same one.
  process.stderr.on('error', () => undefined);
  return { signal: controller.signal, readerGone: reader.signal, exitCode: () => code };
}
