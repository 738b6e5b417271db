/** Clears the log and offers to undo that. */
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../bench.ts';

export async function clearLog(): Promise<void> {
  const some = await getBench().call('clear');
  toast('Messages cleared', some ? { action: { label: 'Undo', onAction: () => void undoClear() } } : {});
}

/** Restores the cleared lines before the lines that arrived since. */
async function undoClear(): Promise<void> {
  if (await getBench().call('undoClear')) {
    toast('Messages restored');
  } else {
    toast('The cleared messages are gone. A clear can be undone for one minute.', { level: 'info' });
  }
}
