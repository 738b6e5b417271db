/** A board that a command works on: its port, its connection, its end, and failures as sentences of the shell. */
import type { FamilyId } from '@wirebench/boards';
import { guessFamily } from '@wirebench/boards/guess-family';
import { systemClock } from '@wirebench/clock';
import { remedyOf, shellText } from '@wirebench/flasher/callers';
import { boardStateText, FlashError, sizeText } from '@wirebench/flasher/core';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import { FileFault } from '@wirebench/flasher/images';
import { returnedPort, type SerialPorts } from '@wirebench/port';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from '../given-ports.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { openFailed } from '../named-link.ts';
import { wholeNumber } from '../port-options.ts';
import { BoardOutput } from './board-output.ts';

/** A port of the system, or a simulated board. */
interface Target {
  readonly given: GivenPort;
  readonly port: SerialPort;
  readonly serial: SerialPorts;
  readonly isDemo: boolean;
  /** Family of the chip by the USB ids of the port or the simulated model; null if they do not tell it. */
  readonly family: FamilyId | null;
}

/** One run of a command. */
export interface BoardRun {
  readonly options: OptionValues;
  readonly output: BoardOutput;
  readonly ended: Interruption;
  readonly target: Target;
  /** Ports beside that of the board when the program began. */
  readonly others: readonly SerialPort[];
  /** The port as which the board came back last. */
  port: SerialPort;
  /** True: a write has failed, so that the board waits for the rest in its bootloader. */
  waits: boolean;
}

/** Finds the port, runs the command, and says what an interruption has left. */
export async function runOnBoard(
  name: string,
  options: OptionValues,
  act: (run: BoardRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const ended = interruption(true);
  const output = new BoardOutput(options['json'] === true, options['tty'] !== false);
  const watching = new AbortController();
  try {
    const target = await targetOf(name, options['simulate'], watching.signal);
    const others = (await target.serial.getPorts()).filter((port) => port !== target.port);
    return await act({ options, output, ended, target, others, port: target.port, waits: false });
  } catch (error) {
    output.clearBar();
    if (ended.signal.aborted && !(error instanceof CommandError)) {
      process.stderr.write('wirebench: interrupted. Nothing on the board was changed.\n');
      return ended.exitCode();
    }
    throw error;
  } finally {
    watching.abort();
    output.clearBar();
  }
}

async function targetOf(name: string, simulate: unknown, signal: AbortSignal): Promise<Target> {
  if (typeof simulate === 'string') {
    const { simulatedPort } = await import('../simulated-boards.ts');
    const given = { name: simulate, path: simulate, label: simulate };
    return { given, isDemo: true, ...simulatedPort(simulate) };
  }
  const given = await givenPort(name);
  const serial = serialOf([given]);
  const port = await presentPort(serial, given, { exclusive: true });
  if (port === null) {
    throw await absentPort(given);
  }
  // A board on its own USB goes at a restart and comes back.
  void serial.watch(systemClock, signal);
  return { given, port, serial, isDemo: false, family: guessFamily(port.getInfo(), '') };
}

interface BoardResult<Result> {
  readonly board: FamilyBoard;
  readonly result: Result;
  /** True: its program was started again. */
  readonly isRestarted: boolean;
}

/** Connects the board, works on it, and starts its program again unless a write has failed. */
export async function onBoard<Result>(
  run: BoardRun,
  family: Family,
  act: (board: FamilyBoard) => Promise<Result>,
): Promise<BoardResult<Result>> {
  const board = await connected(run, family);
  let isRestarted = false;
  let result: Result;
  try {
    result = await act(board);
  } finally {
    if (!run.waits) {
      isRestarted = await board.restart().then(
        () => true,
        () => false,
      );
    }
    await board.close();
  }
  return { board, result, isRestarted };
}

/** Says whether the program runs again, and what is left to do. */
export function showRestart({ output }: BoardRun, { board, isRestarted }: Omit<BoardResult<unknown>, 'result'>): void {
  const { afterwards = null } = board.facts;
  output.step(
    'restart',
    { done: isRestarted, afterwards },
    afterwards ?? (isRestarted ? '' : 'The board did not restart: press its reset button.'),
  );
}

/** Brings the board into its bootloader. */
async function connected(run: BoardRun, family: Family): Promise<FamilyBoard> {
  const { options, output, ended, target, others } = run;
  const baudRate = wholeNumber(options['baud'], '--baud', 1, 0xffff_ffff);
  try {
    const board = await family.connect(target.port, {
      clock: systemClock,
      signal: ended.signal,
      settings: family.releaseSettings(false),
      baudRate,
      byHand: options['byHand'] === true,
      stub: options['stub'] !== false,
      expectedId: null,
      isDemo: target.isDemo,
      bringsBack: true,
      place: target.port,
      isSame: true,
      returned: async (signal) => {
        run.port = await returnedPort(target.serial, run.port, others, signal);
        return run.port;
      },
      onStep: ({ name, text, asksPerson }) =>
        asksPerson === true ? output.step('step', { name, text }, text) : output.passing('step', { name, text }, text),
    });
    const { name, model, id, flash } = board.facts;
    const facts = [
      `${model ?? name}${target.isDemo ? ' (simulated)' : ''}`,
      ...(id === null ? [] : [`${family.idName} ${id}`]),
      ...(flash.size === null ? [] : [`${sizeText(flash.size)} flash`]),
    ];
    output.step('board', { name, model, id, flash, demo: target.isDemo }, facts.join(', '));
    return board;
  } catch (error) {
    throw await boardFailure(run, family, error);
  }
}

/** Codes of failures of the port. */
const openCodes: Readonly<Record<string, Parameters<typeof openFailed>[1]>> = {
  'port-busy': 'busy',
  'permission-denied': 'permission-denied',
  'port-gone': 'device-gone',
  'open-failed': 'open-failed',
};
const lostCodes: readonly string[] = ['unplugged', 'port-failed', 'came-back-different'];

/**
 * Returns a failure as one for the shell. Those of the program itself stay as they are.
 *
 * @param leftText Returns what the work has left on the board. Missing: it changes nothing.
 */
export async function boardFailure(
  run: BoardRun,
  family: Family,
  error: unknown,
  leftText: (error: FlashError) => string = () => boardStateText.unchanged,
): Promise<unknown> {
  const { output, ended, target } = run;
  if (error instanceof FileFault) {
    return new CommandError(exitCodes.refused, shellText(error.message));
  }
  if (!(error instanceof FlashError)) {
    return error;
  }
  const { code, state, detail } = error;
  const message = shellText(error.message);
  const remedy = shellText(remedyOf(family)(code));
  output.step('failed', { code, what: message, remedy, state, detail });
  const left = leftText(error);
  if (ended.signal.aborted) {
    return new CommandError(ended.exitCode(), `interrupted. ${left}`);
  }
  const open = openCodes[code];
  if (open !== undefined) {
    return openFailed(target.given, open, deepest(error));
  }
  const exitCode = lostCodes.includes(code) ? exitCodes.noPort : exitCodes.failed;
  return new CommandError(exitCode, `${message} ${remedy} ${left}`.trim());
}

/** Returns the error that began a chain of causes. */
function deepest(error: Error): unknown {
  return error.cause instanceof Error ? deepest(error.cause) : (error.cause ?? error);
}
