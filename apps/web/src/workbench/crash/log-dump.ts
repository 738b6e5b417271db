/** Opens a core dump of the log: returns a dump that was read before, or reads its lines again. */
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../bench.ts';
import { addLogDump, coreDumpOf, type LogDumpPlace } from './symbol-files.ts';

/**
 * Returns the dump of the log. Reads its lines again if the user closed it or newer dumps displaced it.
 * @returns The dump's id. Null if it cannot be read; a toast shows the reason.
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
