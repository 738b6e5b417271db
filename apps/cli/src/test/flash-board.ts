/** Writes a build to a board before a test, and says its steps where the caller wants them. */
import { loadFamily } from '@wirebench/flasher/callers';
import { BoardOutput } from '../board/board-output.ts';
import { type BoardRun, boardRun, onBoard, portOf } from '../board/board-run.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { carryOut, showFiles } from '../flash/flash.ts';
import { readBuild } from '../flash/given-build.ts';
import type { Interruption } from '../interruption.ts';

/** Longest time of a board to answer to flashing, its resets included, in milliseconds. */
const CONNECT_LIMIT = 12_000;

/** A build that could not be written. */
export class FlashFault extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FlashFault';
    this.exitCode = exitCode;
  }
}

/** Steps of a write as sentences. */
class ToldSteps extends BoardOutput {
  readonly #say: (text: string) => void;
  readonly #connected: () => void;
  /** Code of the failure; null without one. */
  failure: string | null = null;

  constructor(say: (text: string) => void, connected: () => void) {
    super(false, false);
    this.#say = say;
    this.#connected = connected;
  }

  override step(event: string, facts: object, text = ''): void {
    if (event === 'board') {
      this.#connected();
    }
    if (event === 'failed' && 'code' in facts) {
      this.failure = String(facts.code);
    }
    if (text !== '') {
      this.#say(text);
    }
  }

  override passing(): void {
    // A test has no bar.
  }
}

/** Failures of boards that say nothing, or nothing that their bootloader says. */
const silent: readonly string[] = ['nothing-at-all', 'no-answer', 'no-sync-reply'];

export interface BoardToFlash {
  readonly build: string;
  readonly target: BoardRun['target'];
  readonly others: readonly SerialPort[];
  readonly options: OptionValues;
  readonly ended: Interruption;
  readonly say: (text: string) => void;
}

/**
 * Writes a build, verifies it and starts its program.
 *
 * @returns The port as which the board came back.
 * @throws FlashFault for a build that is not on the board whole.
 */
export async function flashBoard(board: BoardToFlash): Promise<SerialPort> {
  const { build: named, target, others, options, ended, say } = board;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), CONNECT_LIMIT);
  const output = new ToldSteps(say, () => clearTimeout(timer));
  const run = boardRun({
    options: { ...options, yes: true, tty: false, baud: undefined },
    output,
    ended: { ...ended, signal: AbortSignal.any([ended.signal, limit.signal]) },
    target,
    others,
  });
  try {
    const build = await readBuild([named], options, target.family, ended.signal);
    showFiles(run, build);
    const family = await loadFamily(build.family);
    await onBoard(run, family, (connected) => carryOut(run, family, connected, build));
    return portOf(run);
  } catch (error) {
    if (limit.signal.aborted && !ended.signal.aborted) {
      const message = `the board did not answer to flashing within ${CONNECT_LIMIT / 1_000} s.`;
      throw new FlashFault(exitCodes.noPort, message, { cause: error });
    }
    if (!(error instanceof CommandError)) {
      throw error;
    }
    const isSilent = output.failure !== null && silent.includes(output.failure);
    throw new FlashFault(isSilent ? exitCodes.noPort : error.exitCode, error.message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
