/** A core dump in the log as one that can be shown: the one that was read already, or its lines read again. */
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../bench.ts';
import { addLogDump, coreDumpOf, type LogDumpPlace } from './symbol-files.ts';

/**
 * One that was closed, or had to make room for newer ones, is read from its lines again.
 * @returns its id; null when that is impossible, which a toast explains
 */
export async function readLogDump(place: LogDumpPlace): Promise<number | null> {
  const known = coreDumpOf(place);
  if (known !== null) {
    return known;
  }
  try {
    const text = await getBench().call('dumpLines', place.port, place.from);
    if (text !== null) {
      return addLogDump(text, place);
    }
    sayFailed(
      'Its first lines are not in the log any more. Let the board crash again, or read the crash from its flash.',
    );
  } catch (error) {
    sayFailed(error instanceof Error ? error.message : String(error));
  }
  return null;
}

function sayFailed(detail: string): void {
  toast('The core dump could not be opened.', { level: 'error', detail });
}
