/**
 * Listens to the program that was written, from the first byte after its restart until it has printed a text or its
 * time is over.
 */
import { familyTraits } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { type ConsoleLines, consoleLines } from '@wirebench/flasher/callers';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import {
  defaultPortSettings,
  fallsSilent,
  type LineStep,
  playSteps,
  type SerialLink,
  setControlLines,
  whenAborted,
} from '@wirebench/port';
import { type AwaitedTexts, forbiddenText, missedText, watchFor } from '../awaited-text.ts';
import { type BoardRun, portOf, returnedBoard } from '../board/board-run.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { openNamedLink } from '../named-link.ts';

interface ProgramParts {
  readonly family: Family;
  /** The board that was written and restarted. It is still connected. */
  readonly board: FamilyBoard;
  /** Output of the program that came through this connection since the restart. */
  readonly early: readonly Uint8Array[];
  readonly awaited: AwaitedTexts;
  /** Longest wait in milliseconds. */
  readonly wait: number;
  /** In baud; null for the family's usual rate. */
  readonly logRate: number | null;
}

/** Pause between two attempts to open a port that has just come back, in milliseconds. */
const OPEN_PAUSE = 50;

/**
 * Prints what the program sends. Its port is opened again at the rate of the log, and the control lines restart it where
 * they can. Elsewhere, and with `--by-hand`, the connection is kept while it passes the output on. A port that vanishes is opened again when it
 * comes back in time.
 *
 * @returns `ok` when the text of `--until` has come, or after the longest wait without one. `failed` when it did not
 *   come, or a text of `--fail-on` did. `noPort` when the board was unplugged.
 * @throws CommandError for a board that cannot be heard.
 */
export async function followProgram(run: BoardRun, parts: ProgramParts): Promise<ExitCode> {
  const { output, ended } = run;
  const { board, awaited, wait } = parts;
  const { console } = board.facts;
  if (console === null || run.port === null) {
    throw new CommandError(exitCodes.failed, 'the program of this board cannot be heard through this port.');
  }
  // No line resets a board whose bootloader a person has started, so all output is that of its program.
  const byHand = run.options['byHand'] === true;
  const reset = byHand ? null : consoleLines(console).reset;
  // The connection hears the ROM's rate.
  const stays = board.hearsProgram === true && reset === null && (!byHand || parts.logRate === null);
  const outcome = new AbortController();
  let forbidden: string | null = null;
  const watch = watchFor(awaited, (text) => {
    forbidden = text.forbidden;
    outcome.abort(text.code);
  });
  const decoder = new TextDecoder();
  const received = (bytes: Uint8Array) => {
    if (!outcome.signal.aborted) {
      output.text(bytes, decoder);
      watch?.take(bytes);
    }
  };
  const stop = AbortSignal.any([outcome.signal, ended.signal, ended.readerGone]);
  const { until } = awaited;
  const silent = until === null ? exitCodes.ok : exitCodes.failed;
  const cancelTimer = systemClock.schedule(wait, () => {
    // An expression may match up to the end of what has come.
    watch?.pause();
    outcome.abort(silent);
  });
  try {
    if (stays) {
      parts.early.forEach(received);
      run.onText = received;
      await whenAborted(AbortSignal.any([stop, board.over]));
    }
    run.onText = null;
    await board.close();
    if (!stop.aborted && !(await hearThroughPort(run, { ...parts, reset }, received, stop))) {
      outcome.abort(exitCodes.noPort);
    }
  } finally {
    cancelTimer();
    watch?.stop();
    output.endText();
  }
  if (ended.signal.aborted) {
    return ended.exitCode();
  }
  if (ended.readerGone.aborted) {
    return exitCodes.ok;
  }
  const code = outcome.signal.reason as ExitCode;
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

/** Reads the port until `stop` aborts. Returns false if it vanished and did not come back in time. */
async function hearThroughPort(
  run: BoardRun,
  { family, board: { facts }, logRate, reset }: ProgramParts & Pick<ConsoleLines, 'reset'>,
  received: (bytes: Uint8Array) => void,
  stop: AbortSignal,
): Promise<boolean> {
  const { atOpen } = consoleLines(facts.console ?? { lines: null, reset: null });
  const baudRate = logRate ?? familyTraits[facts.family].logRate ?? defaultPortSettings.baudRate;
  let steps = reset;
  // Output from before the reset is not the program's start.
  let isHeard = steps === null;
  /** Number of received bytes. */
  let count = 0;
  const before = run.port;
  const opened = (gone: AbortController): Promise<SerialLink> => {
    if (run.port !== before) {
      // A board that has come back has restarted.
      steps = null;
      isHeard = true;
    }
    return openNamedLink({
      given: run.target.given,
      device: portOf(run),
      settings: { ...defaultPortSettings, baudRate },
      lines: atOpen,
      received: (bytes) => {
        count += bytes.length;
        if (isHeard) {
          received(bytes);
        }
      },
      ended: () => gone.abort(),
    });
  };
  while (!stop.aborted) {
    const gone = new AbortController();
    const link = await openedInTime(run, family.returnLimit, stop, () => opened(gone));
    if (link === null) {
      return stop.aborted;
    }
    const over = AbortSignal.any([stop, gone.signal]);
    try {
      link.start();
      if (steps !== null) {
        const play = (part: readonly LineStep[]) =>
          playSteps(systemClock, part, (levels) => setControlLines(portOf(run), levels), over).catch(() => 'stopped');
        await play(steps.slice(0, -1));
        await fallsSilent(systemClock, () => count, over);
        isHeard = true;
        // The program begins with the last step.
        await play(steps.slice(-1));
        steps = null;
      }
      await whenAborted(over);
    } finally {
      await link.close();
    }
  }
  return true;
}

/**
 * Opens the port of a board that may be away. Returns null if it does not come back within `limit` milliseconds.
 *
 * @throws CommandError for a port that is there and cannot be opened.
 */
async function openedInTime(
  run: BoardRun,
  limit: number,
  stop: AbortSignal,
  open: () => Promise<SerialLink>,
): Promise<SerialLink | null> {
  const inTime = AbortSignal.any([stop, AbortSignal.timeout(limit)]);
  let failure: unknown = null;
  while (!inTime.aborted) {
    if (portOf(run).connected === false) {
      run.port = await returnedBoard(run, inTime).catch(() => run.port);
    } else {
      // A port that has just come back may not be usable yet.
      const link = await open().catch((error: unknown) => {
        failure = error;
        return null;
      });
      if (link !== null) {
        return link;
      }
      await systemClock.sleep(OPEN_PAUSE, inTime).catch(() => 'over');
    }
  }
  if (failure !== null && portOf(run).connected !== false && !stop.aborted) {
    throw failure;
  }
  return null;
}
