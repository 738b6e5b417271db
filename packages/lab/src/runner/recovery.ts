/** Diagnosis after a lost answer: the ROM still listens, has restarted, has printed a crash, or has stopped. */
import type { Clock } from '@wirebench/clock';
import { inTime, type RomBoard, readBootLog, readEspBoot } from '@wirebench/flasher/esp/rom';
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
  /** Asks the chip whether it still is what it was before the fault. */
  readonly readState: () => Promise<ChipState | null>;
}

/**
 * State of the chip, as it says itself: `kept` if no reset has changed it, `lost` if one has, `unknown` if it cannot
 * tell.
 */
export type ChipState = 'kept' | 'lost' | 'unknown';

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

async function diagnose({ board, synchronise, readState }: Recovery, signal: AbortSignal): Promise<LabError | null> {
  const { link } = board;
  await link.quiet(signal);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answers = await synchronise(signal);
    const printed = printedFailure(link.text);
    if (printed?.code === 'printing') {
      return printed;
    }
    const state = answers ? await readState() : null;
    if (state === 'kept') {
      // A boot log can come late, from before: bytes wait in bridges and drivers.
      return null;
    }
    if (printed !== null) {
      return printed;
    }
    if (state !== null) {
      return state === 'lost' ? new LabError('restarted') : null;
    }
    if (!answers) {
      break;
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
