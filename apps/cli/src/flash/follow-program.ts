/** Listens to the program that was written, until it has printed a text or its time is over. */
import { familyTraits } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { consoleLines } from '@wirebench/flasher/callers';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import { defaultPortSettings, playSteps, returnedPort, type SerialPorts, setControlLines } from '@wirebench/port';
import { type AwaitedTexts, forbiddenText, missedText, watchFor } from '../awaited-text.ts';
import type { BoardOutput } from '../board/board-output.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import type { GivenPort } from '../given-ports.ts';
import type { Interruption } from '../interruption.ts';
import { openNamedLink } from '../named-link.ts';

interface ProgramParts {
  readonly output: BoardOutput;
  readonly ended: Interruption;
  readonly family: Family;
  /** The board that was written. It is closed. */
  readonly board: FamilyBoard;
  /** Its port as it was named. */
  readonly given: GivenPort;
  readonly target: { readonly serial: SerialPorts };
  /** Ports of other boards. */
  readonly others: readonly SerialPort[];
  readonly port: SerialPort;
  readonly awaited: AwaitedTexts;
  /** Longest wait in milliseconds. */
  readonly wait: number;
  /** In baud; null for the family's usual rate. */
  readonly logRate: number | null;
}

/**
 * Opens the port again at the rate of the log, restarts the program where the control lines can, and prints what it sends.
 *
 * @returns `ok` when the text of `--until` has come, or after the longest wait without one. `failed` when it did not
 *   come, or a text of `--fail-on` did. `noPort` when the board was unplugged.
 * @throws CommandError for a board that cannot be heard.
 */
export async function followProgram(parts: ProgramParts): Promise<ExitCode> {
  const { output, ended, board, given, awaited, wait, logRate } = parts;
  const { console, family } = board.facts;
  if (console === null) {
    throw new CommandError(exitCodes.failed, 'the program of this board cannot be heard through this port.');
  }
  const { atOpen, reset } = consoleLines(console);
  const device = await portOfProgram(parts);
  const outcome = new AbortController();
  let forbidden: string | null = null;
  const watch = watchFor(awaited, (text) => {
    forbidden = text.forbidden;
    outcome.abort(text.code);
  });
  const decoder = new TextDecoder();
  const link = await openNamedLink({
    given,
    device,
    settings: {
      ...defaultPortSettings,
      baudRate: logRate ?? familyTraits[family].logRate ?? defaultPortSettings.baudRate,
    },
    lines: atOpen,
    received: (bytes) => {
      if (!outcome.signal.aborted) {
        output.text(bytes, decoder);
        watch?.take(bytes);
      }
    },
    ended: () => outcome.abort(exitCodes.noPort),
  });
  const stop = AbortSignal.any([outcome.signal, ended.signal, ended.readerGone]);
  try {
    link.start();
    if (reset !== null) {
      // The program prints again from its beginning.
      await playSteps(systemClock, reset, (levels) => setControlLines(device, levels), stop).catch(() => 'stopped');
    }
    await systemClock.sleep(wait, stop).catch(() => 'stopped');
    watch?.pause();
  } finally {
    watch?.stop();
    await link.close();
    output.endText();
  }
  if (ended.signal.aborted) {
    return ended.exitCode();
  }
  if (ended.readerGone.aborted) {
    return exitCodes.ok;
  }
  const { until } = awaited;
  const silent = until === null ? exitCodes.ok : exitCodes.failed;
  const code: ExitCode = outcome.signal.aborted ? (outcome.signal.reason as ExitCode) : silent;
  if (until !== null) {
    output.step('until', { seen: code === exitCodes.ok });
  }
  if (forbidden !== null) {
    output.step('fail-on', { text: forbidden });
  }
  const why =
    forbidden !== null
      ? forbiddenText(forbidden)
      : code === exitCodes.noPort
        ? 'the board was unplugged.'
        : code === exitCodes.failed && until !== null
          ? missedText(until, wait)
          : '';
  if (why !== '') {
    process.stderr.write(`wirebench: ${why}\n`);
  }
  return code;
}

/** Returns the port of the board; one on its own USB may have to come back first. */
async function portOfProgram({ board, family, port, others, target }: ProgramParts): Promise<SerialPort> {
  if (!board.vanishes || port.connected !== false) {
    return port;
  }
  return returnedPort(target.serial, port, others, AbortSignal.timeout(family.returnLimit)).catch(() => port);
}
