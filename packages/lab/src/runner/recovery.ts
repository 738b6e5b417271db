/** Diagnosis after a lost answer: the ROM still listens, has restarted, has printed a crash, or has stopped. */
import type { Clock } from '@wirebench/clock';
import { inTime, type RomBoard, readBootLog, readEspBoot } from '@wirebench/flasher/espressif/rom';
import { LabError } from '../lab-failure.ts';

/** Attempts at synchronising, because the answer to an attempt may be lost too. */
const ATTEMPTS = 2;
/** Maximum characters of printed text in an error. */
const TEXT_QUOTED = 200;

export interface Recovery {
  readonly clock: Clock;
  readonly board: RomBoard;
  /** Milliseconds for the whole diagnosis. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly synchronise: (signal: AbortSignal) => Promise<boolean>;
  /** Returns true if the chip still holds the reset mark; null without an answer. */
  readonly isStillSet: () => Promise<boolean | null>;
}

/**
 * Diagnoses a fault. Null if the board answers again and has kept its state.
 *
 * @throws PortError; the reason of the signal.
 */
export async function recover(recovery: Recovery): Promise<LabError | null> {
  const { clock, limit, signal } = recovery;
  const found = await inTime(clock, limit, signal, async (late) => ({ failure: await diagnose(recovery, late) }));
  return found === null
    ? (printedFailure(recovery.board.link.text) ?? new LabError('stopped-answering'))
    : found.failure;
}

/** Rewrites a failure for a board on which a program in RAM answers instead of the ROM. Keeps the printed text. */
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
  // A ROM that crashed silently cannot be distinguished here from a ROM that was only delayed.
  return new LabError((await board.reset(signal)) ? 'rom-stopped' : 'stopped-answering');
}

/** Returns the failure that printed text reveals; null if it reveals none. */
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
      // Only a chip's boot log proves that it has restarted.
      return readBootLog(text).mode === null
        ? new LabError('printing', { detail: `It printed: ${detail}` })
        : new LabError('restarted', { detail });
    default:
      return new LabError('restarted', { detail });
  }
}
