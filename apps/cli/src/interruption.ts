/** The ends that come from outside: Ctrl+C, a closed terminal, and a reader that has gone (`| head`). */
import type { OptionValues } from './commands/command.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';

export interface Interruption {
  /** Aborts at the first of them. A second signal ends the process at once; Node gives the terminal back then. */
  readonly signal: AbortSignal;
  /** Aborts when the reader of the output has gone. */
  readonly readerGone: AbortSignal;
  /** Code of the end that has come. A reader that has gone is no failure. */
  exitCode(): ExitCode;
}

const signals = [
  ['SIGHUP', exitCodes.hungUp],
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
] as const;

/** Returns true if there is a terminal whose user could answer a question. */
export const canAsk = ({ json, tty }: OptionValues): boolean =>
  tty !== false && json !== true && process.stdin.isTTY === true && process.stderr.isTTY === true;

/** @param goesOn True: a reader that has gone does not end the work, which may be a write that must not be left half done. */
export function interruption(goesOn = false): Interruption {
  const controller = new AbortController();
  const reader = new AbortController();
  let code: ExitCode = exitCodes.ok;
  for (const [signal, signalCode] of signals) {
    process.on(signal, () => {
      if (controller.signal.aborted) {
        process.exit(signalCode);
      }
      code = signalCode;
      controller.abort();
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    reader.abort();
    if (!goesOn && !controller.signal.aborted) {
      // EIO: the output was a terminal, whose signal may come later.
      code = error.code === 'EIO' ? exitCodes.hungUp : exitCodes.ok;
      controller.abort();
    }
  });
  // The reader of the notices may be the same one.
  process.stderr.on('error', () => undefined);
  return { signal: controller.signal, readerGone: reader.signal, exitCode: () => code };
}
