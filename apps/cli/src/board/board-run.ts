/** A board that a command works on: its port, its connection, its end, and failures as sentences of the shell. */
import { type FamilyId, families, familyIds } from '@wirebench/boards';
import { guessFamily } from '@wirebench/boards/guess-family';
import { systemClock } from '@wirebench/clock';
import type { AvrFailure } from '@wirebench/flasher/avr';
import { remedyOf, shellText } from '@wirebench/flasher/callers';
import { boardStateText, FlashError, sizeText } from '@wirebench/flasher/core';
import type { EspFailure } from '@wirebench/flasher/esp';
import type {
  ConnectOptions,
  DriveFolder,
  Family,
  FamilyBoard,
  FamilyTypes,
  UsbDevices,
} from '@wirebench/flasher/family';
import { FileFault } from '@wirebench/flasher/images';
import type { NrfFailure } from '@wirebench/flasher/nrf';
import type { RpFailure } from '@wirebench/flasher/rp';
import type { StmFailure } from '@wirebench/flasher/stm';
import type { NativePort } from '@wirebench/node-port';
import { portNameOf, returnedPort, type SerialPorts, whenAborted } from '@wirebench/port';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { withOwnOptions } from '../flash/own-settings.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from '../given-ports.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { openFailed } from '../named-link.ts';
import { oneOf, wholeNumber } from '../port-options.ts';
import { BoardOutput } from './board-output.ts';
import { driveAt, mountedDrives } from './mounted-drive.ts';

/** A port of the system, a simulated board, or the mounted drive of a board in its boot ROM. */
interface Target {
  readonly given: GivenPort;
  /** Null for a drive: the program of its board has a port later, and none of a known name. */
  readonly port: SerialPort | null;
  /** Missing: the board is at a port. */
  readonly drive?: DriveFolder;
  /** Bus of a simulated board whose bootloader is a USB device. Missing: there is none, or it is out of reach. */
  readonly usb?: UsbDevices;
  readonly serial: SerialPorts;
  readonly isDemo: boolean;
  /** Family of the chip by the USB ids of the port, the drive or the simulated model; null if they do not tell it. */
  readonly family: FamilyId | null;
  /** Looks for ports that have come or gone. Missing: they are known at once. */
  readonly look?: () => Promise<void>;
}

/** One run of a command. */
export interface BoardRun {
  readonly options: OptionValues;
  readonly output: BoardOutput;
  readonly ended: Interruption;
  readonly target: Target;
  /** Ports beside that of the board when the program began. */
  readonly others: readonly SerialPort[];
  /** The port as which the board came back last; null for a drive. */
  port: SerialPort | null;
  /** True: a write has failed, so that the board waits for the rest in its bootloader. */
  waits: boolean;
  /** Receives bytes of the board outside of the protocol; null drops them. */
  onText: ((bytes: Uint8Array) => void) | null;
}

/**
 * Returns a run that has changed nothing yet.
 *
 * @throws CommandError for `--family` with another one than that of a simulated board or a drive.
 */
export const boardRun = (parts: Omit<BoardRun, 'port' | 'waits' | 'onText'>): BoardRun => ({
  ...parts,
  options: optionsFor(parts.target, parts.options),
  port: parts.target.port,
  waits: false,
  onText: null,
});

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
    return await act(boardRun({ options, output, ended, target, others }));
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

/**
 * Returns the options with the family of a simulated board or a drive. It decides, whatever the files are for. USB ids only give a
 * hint, because a bridge or a probe may have them.
 */
function optionsFor({ isDemo, drive, family, given }: Target, options: OptionValues): OptionValues {
  const wanted = oneOf(options['family'], '--family', familyIds);
  if ((!isDemo && drive === undefined) || family === null) {
    return options;
  }
  if (wanted !== null && wanted !== family) {
    throw new CommandError(
      exitCodes.usage,
      `${given.label} is a board of ${families[family].name}: --family ${family}, and not ${wanted}.`,
    );
  }
  return { ...options, family };
}

async function targetOf(name: string, simulate: unknown, signal: AbortSignal): Promise<Target> {
  if (typeof simulate === 'string') {
    const { simulatedPort } = await import('../simulated-boards.ts');
    const given = { name: simulate, path: simulate, label: simulate };
    return { given, isDemo: true, ...(await simulatedPort(simulate)) };
  }
  const given = await givenPort(name);
  const serial = serialOf([given]);
  const drive = await driveAt(name);
  if (drive !== null) {
    const folder = { name, path: name, label: drive.name };
    return { given: folder, port: null, drive, serial, isDemo: false, family: 'rp' };
  }
  const port = await presentPort(serial, given, { exclusive: true });
  if (port === null) {
    throw await absentPort(given);
  }
  // A board on its own USB goes at a restart and comes back.
  void serial.watch(systemClock, signal);
  return { given, port, serial, look: () => serial.refresh(), isDemo: false, family: guessFamily(port.getInfo(), '') };
}

/**
 * Returns the port of a run or of a target.
 *
 * @throws CommandError for a drive.
 */
export function portOf({ port }: { readonly port: SerialPort | null }): SerialPort {
  if (port === null) {
    throw new CommandError(exitCodes.usage, 'a drive has no port: name the port of the board.');
  }
  return port;
}

interface BoardResult<Result> {
  readonly board: FamilyBoard;
  readonly result: Result;
  /** True: its program was started again. */
  readonly isRestarted: boolean;
}

/**
 * Connects the board, works on it, and starts its program again unless a write has failed.
 *
 * @param listen Called after the restart, while the board is still connected. Missing: it is closed at once.
 */
export async function onBoard<Result>(
  run: BoardRun,
  family: Family,
  act: (board: FamilyBoard) => Promise<Result>,
  listen?: (done: BoardResult<Result>) => Promise<void>,
): Promise<BoardResult<Result>> {
  const board = await connected(run, family);
  let isRestarted = false;
  let isDone = false;
  try {
    const result = await act(board);
    isDone = true;
    isRestarted = await restarted(board);
    const done = { board, result, isRestarted };
    await listen?.(done);
    return done;
  } finally {
    if (!isDone && !run.waits) {
      await restarted(board);
    }
    await board.close();
  }
}

/** Starts the program. Returns false if the board did not restart. */
const restarted = (board: FamilyBoard): Promise<boolean> =>
  board.restart().then(
    () => true,
    () => false,
  );

/** Pause between two looks for a board that comes back, in milliseconds: what its ROM prints first waits for the port. */
const RETURN_PAUSE = 20;

/**
 * Resolves with the port as which the board comes back: by its USB ids, or under the name that was given.
 *
 * @throws The reason of `signal`.
 */
export async function returnedBoard(
  run: Pick<BoardRun, 'target' | 'port' | 'others'>,
  signal: AbortSignal,
): Promise<SerialPort> {
  const { target, others } = run;
  const { serial, given, look } = target;
  if (run.port === null) {
    // The port of a program behind a drive is not known by any name.
    await whenAborted(signal);
    throw signal.reason;
  }
  const { port } = run;
  const isNamed = (one: SerialPort) =>
    ('listed' in one ? (one as NativePort).listed.path : portNameOf(one)) === given.path && isUnidentified(port, one);
  const found = new AbortController();
  const isOver = AbortSignal.any([signal, found.signal]);
  const looking = async () => {
    while (look !== undefined && !isOver.aborted) {
      await look();
      await systemClock.sleep(RETURN_PAUSE, isOver).catch(() => 'over');
    }
  };
  void looking();
  try {
    return await returnedPort(serial, port, others, signal, isNamed);
  } finally {
    found.abort();
  }
}

/** True: the ids of one of the ports are unknown, so that they do not contradict each other. */
const isUnidentified = (...ports: readonly SerialPort[]): boolean =>
  ports.some((port) => port.getInfo().usbVendorId === undefined);

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
  const { options, output, ended, target } = run;
  const baudRate = wholeNumber(options['baud'], '--baud', 1, 0xffff_ffff);
  const tried = new Set<string>();
  try {
    const connectOptions: ConnectOptions<FamilyTypes> = {
      clock: systemClock,
      signal: ended.signal,
      settings: withOwnOptions(family.releaseSettings(false), options),
      baudRate,
      byHand: options['byHand'] === true,
      stub: options['stub'] !== false,
      expectedId: null,
      isDemo: target.isDemo,
      bringsBack: true,
      place: target.port ?? target.given.path,
      isSame: true,
      ...(target.usb === undefined ? { drives: mountedDrives() } : { usb: target.usb }),
      returned: async (signal) => {
        const port = await returnedBoard(run, signal);
        run.port = port;
        return port;
      },
      // Without a terminal, only a person who has said so is at the board.
      ...(!output.canAsk && options['byHand'] !== true && { personWait: 0 }),
      onText: (bytes) => run.onText?.(bytes),
      onStep: ({ name, text, asksPerson }) => {
        tried.add(text);
        if (asksPerson === true) {
          output.step('step', { name, text }, text);
        } else {
          output.passing('step', { name, text }, text);
        }
      },
    };
    const board = await boardAt(target, family, connectOptions);
    const { name, model, id, flash } = board.facts;
    const facts = [
      `${model ?? name}${target.isDemo ? ' (simulated)' : ''}`,
      ...(id === null ? [] : [`${family.idName} ${id}`]),
      ...(flash.size === null ? [] : [`${sizeText(flash.size)} flash`]),
    ];
    output.step('board', { name, model, id, flash, demo: target.isDemo }, facts.join(', '));
    return board;
  } catch (error) {
    throw await boardFailure(run, family, error, () => `Tried: ${[...tried].join(', ')}. ${boardStateText.unchanged}`);
  }
}

/** @throws CommandError for a drive of boards that have none. */
async function boardAt(
  { given, port, drive }: Target,
  family: Family,
  options: ConnectOptions<FamilyTypes>,
): Promise<FamilyBoard> {
  if (port !== null) {
    return family.connect(port, options);
  }
  if (drive === undefined || family.connectDrive === undefined) {
    throw new CommandError(exitCodes.usage, `${given.path} is a folder, and these boards have no drive: name a port.`);
  }
  return family.connectDrive(drive, options);
}

/** Codes of failures of the port. */
const openCodes: Readonly<Record<string, Parameters<typeof openFailed>[1]>> = {
  'port-busy': 'busy',
  'permission-denied': 'permission-denied',
  'port-gone': 'device-gone',
  'open-failed': 'open-failed',
};
/** Codes of failures after which there is no board to work with: it is gone, or its bootloader answers nothing. */
const lostCodes: ReadonlySet<string> = new Set<EspFailure | StmFailure | NrfFailure | AvrFailure | RpFailure>([
  'unplugged',
  'port-failed',
  'came-back-different',
  'stopped-answering',
  'nothing-at-all',
  'no-answer',
  'no-sync-reply',
  'normal-boot',
  'boot-loop',
  'empty-flash',
  'nothing-to-start',
  'in-application',
  'no-bootloader',
  'no-auto-reset',
  'touch-ignored',
  'sketch-floods',
  'not-in-bootsel',
  'button-not-pressed',
  'several-boards',
  'not-the-drive',
]);

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
  const exitCode = lostCodes.has(code) ? exitCodes.noPort : exitCodes.failed;
  return new CommandError(exitCode, `${message} ${remedy} ${left}`.trim());
}

/** Returns the error that began a chain of causes. */
function deepest(error: Error): unknown {
  return error.cause instanceof Error ? deepest(error.cause) : (error.cause ?? error);
}
