/** After a lost answer: does the ROM still listen, has it restarted, has it said that it crashed, or has it stopped? */
import type { Clock } from '@wirebench/clock';
import { inTime, type RomBoard, readBootLog, readEspBoot } from '@wirebench/flasher/espressif/rom';
import { LabError } from '../lab-failure.ts';

/** How often the board is asked: the answer to that may be lost too. */
const ATTEMPTS = 2;
/** Characters of what was printed that go into an error. */
const TEXT_QUOTED = 200;

export interface Recovery {
  readonly clock: Clock;
  readonly board: RomBoard;
  /** Milliseconds for all of it. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly synchronise: (signal: AbortSignal) => Promise<boolean>;
  /** Whether the chip still holds what was written before; null when that was not answered. */
  readonly isStillSet: () => Promise<boolean | null>;
}

/** Null when the board goes on as if nothing had been. @throws PortError; the reason of the signal. */
export async function recover(recovery: Recovery): Promise<LabError | null> {
  const { clock, limit, signal } = recovery;
  const found = await inTime(clock, limit, signal, async (late) => ({ failure: await diagnose(recovery, late) }));
  return found === null
    ? (printedFailure(recovery.board.link.text) ?? new LabError('stopped-answering'))
    : found.failure;
}

/** Where a program answers in the ROM's place, it is the program that has stopped. What was printed stays. */
export function asOfProgram(failure: LabError): LabError {
  const { code, detail } = failure;
  return code === 'rom-crashed' || code === 'rom-stopped'
    ? new LabError('program-stopped', { cause: failure, ...(detail !== null && { detail }) })
    : failure;
}

async function diagnose({ board, synchronise, isStillSet }: Recovery, signal: AbortSignal): Promise<LabError | null> {
  const { link } = board;
  await link.quiet(signal);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answers = await synchronise(signal);
    const printed = printedFailure(link.text);
    if (printed !== null) {
      return printed;
    }
    if (!answers) {
      break;
    }
    const isSet = await isStillSet();
    if (isSet !== null) {
      return isSet ? null : new LabError('restarted');
    }
  }
  // A ROM that crashed without a word and a board that was only held up look the same from here.
  return new LabError((await board.reset(signal)) ? 'rom-stopped' : 'stopped-answering');
}

/** What a text says that came in place of an answer; null when it says nothing. */
function printedFailure(text: string): LabError | null {
  const detail = text.trim().slice(0, TEXT_QUOTED);
  const verdict = readEspBoot(text);
  switch (verdict.kind) {
    case 'silence':
    case 'unreadable':
    case 'starting':
      return null;
    case 'brown-out':
      return new LabError('brown-out', { detail });
    case 'panic':
      return new LabError('rom-crashed', { detail });
    case 'app':
      // Only what a chip prints as it starts says that it has.
      return readBootLog(text).mode === null
        ? new LabError('printing', { detail: `It printed: ${detail}` })
        : new LabError('restarted', { detail });
    default:
      return new LabError('restarted', { detail });
  }
}
