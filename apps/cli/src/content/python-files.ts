/** Files of a board that runs MicroPython or CircuitPython, over its raw REPL. */
import { systemClock } from '@wirebench/clock';
import { sha256Of } from '@wirebench/flasher/sha256';
import { linesToSet } from '@wirebench/port';
import { BoardError, BoardFiles, RawRepl } from '@wirebench/serial/micropython';
import { SessionLink } from '@wirebench/serial/transfer';
import { BoardOutput } from '../board/board-output.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from '../given-ports.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { openNamedLink } from '../named-link.ts';
import { type GivenSettings, readSettings } from '../port-options.ts';
import { printable } from '../printable.ts';
import type { BoardFileAction, PythonRun } from './file-actions.ts';

/** Failures after which the board is not in its raw REPL any more. */
const outOfReach: readonly string[] = ['closed', 'reset', 'no-answer', 'out-of-step', 'too-much-output'];

export async function runPythonFiles(name: string, options: OptionValues, action: BoardFileAction): Promise<ExitCode> {
  if (typeof options['simulate'] === 'string') {
    throw new CommandError(exitCodes.usage, 'no simulated board runs MicroPython.');
  }
  if (options['plan'] === true && !action.isReading) {
    throw new CommandError(
      exitCodes.usage,
      '--plan is for files in flash: over a prompt each file is written at once.',
    );
  }
  const { settings, native } = readSettings({ baud: options['baud'] });
  const output = new BoardOutput(options['json'] === true, options['tty'] !== false);
  output.hasResultsAlone = action.isReading;
  const ended = interruption(true);
  const given = await givenPort(name);
  const device = await presentPort(serialOf([given]), given, native);
  if (device === null) {
    throw await absentPort(given);
  }
  return filesInPython({ given, device, settings, options, output, ended }, action);
}

/** A board that runs such an interpreter, and what a command has for it. */
interface PythonBoard extends Pick<PythonRun, 'options' | 'output'> {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: GivenSettings['settings'];
  readonly ended: Interruption;
}

/** Carries an action out over the raw REPL. */
export async function filesInPython(
  { given, device, settings, options, output, ended }: PythonBoard,
  action: BoardFileAction,
): Promise<ExitCode> {
  const session = new SessionLink();
  const link = await openNamedLink({
    given,
    device,
    settings,
    lines: linesToSet(settings.linesAtOpen) ?? null,
    received: (bytes) => session.received(Uint8Array.from(bytes)),
    ended: () => undefined,
  });
  session.attach({ over: link.over, send: (bytes) => link.send(bytes) });
  link.start();
  // An interruption ends the work between two steps, so that the board comes back to its prompt.
  const repl = new RawRepl({ link: session, clock: systemClock, signal: new AbortController().signal });
  try {
    return await inRepl(repl, options, { output, signal: ended.signal, action });
  } catch (error) {
    output.clearBar();
    if (error instanceof BoardError) {
      if (ended.signal.aborted) {
        throw new CommandError(
          ended.exitCode(),
          `interrupted. ${error.code === 'cancelled' ? error.message : printable(error.message)}`,
        );
      }
      const exitCode =
        error.code === 'closed' ? exitCodes.noPort : error.code === 'busy' ? exitCodes.refused : exitCodes.failed;
      output.step('failed', { code: error.code, what: error.message });
      throw new CommandError(exitCode, printable(error.message));
    }
    if (ended.signal.aborted && !(error instanceof CommandError)) {
      throw new CommandError(ended.exitCode(), 'interrupted.');
    }
    throw error;
  } finally {
    output.clearBar();
    repl.close();
    await link.close();
  }
}

interface ReplWork {
  readonly output: BoardOutput;
  readonly signal: AbortSignal;
  readonly action: BoardFileAction;
}

/** Works in the raw REPL, and leaves the board as it was: at its prompt, or with its program started again. */
async function inRepl(repl: RawRepl, options: OptionValues, { output, signal, action }: ReplWork): Promise<ExitCode> {
  await enter(repl, options, output, signal);
  try {
    const files = new BoardFiles(repl, sha256Of, signal);
    await files.begin();
    try {
      return (await action.inPython({ options, output, files, signal })) ? exitCodes.ok : exitCodes.failed;
    } finally {
      await new BoardFiles(repl, sha256Of, new AbortController().signal).end().catch(() => undefined);
    }
  } catch (error) {
    if (error instanceof BoardError && outOfReach.includes(error.code)) {
      await repl.abandon();
    }
    throw error;
  } finally {
    if (repl.wasInterrupted) {
      await repl.softReset().catch(() => undefined);
      output.step('restart', { done: true }, 'The program was started again by a soft reset.');
    } else {
      await repl.leave().catch(() => undefined);
    }
  }
}

/** Enters the raw REPL. A program is interrupted with the consent of a person, which `--yes` gives. */
async function enter(repl: RawRepl, options: OptionValues, output: BoardOutput, signal: AbortSignal): Promise<void> {
  try {
    await repl.enter(options['yes'] === true);
  } catch (error) {
    if (!(error instanceof BoardError) || error.code !== 'busy' || !output.canAsk) {
      throw error instanceof BoardError && error.code === 'busy'
        ? new CommandError(exitCodes.refused, `${error.message} With --yes it is interrupted.`)
        : error;
    }
    const answer = await output.ask('A program runs on the board. Interrupt it? [y/N] ', signal);
    if (!/^y(?:es)?$/i.test(answer)) {
      throw new CommandError(exitCodes.refused, 'nothing was done.');
    }
    await repl.enter(true);
  }
}
