/** Writing to a browser's storage that may be full, or refuse: what is shown goes on, and a person hears of it once. */
import { toast } from '../ui/toast.ts';
import { isStorageFull } from './browser-storage.ts';

interface Saved {
  /** Subject of the message about a failed save, as the beginning of a sentence: `The device panels`. */
  readonly what: string;
  /** Advice that makes room for it, besides deleting other data of the site. Omitted: no such advice. */
  readonly room?: string;
}

/**
 * Runs what writes to a storage. What it throws for lack of room or of permission becomes a message: one, and another only after
 * a write has worked in between.
 */
export function savingOf({ what, room }: Saved): (write: () => void) => void {
  let saved = true;
  return (write) => {
    try {
      write();
      saved = true;
    } catch (error) {
      if (!(error instanceof DOMException)) {
        throw error;
      }
      if (saved) {
        toast(isStorageFull(error) ? fullText(what, room) : refusedText(what), { level: 'error' });
      }
      saved = false;
    }
  };
}

function fullText(what: string, room: string | undefined): string {
  const remedy = room === undefined ? 'Delete other data of this site' : `${room}, or other data of this site`;
  return `${what} could not be saved: the browser's storage for this site is full. ${remedy}; until then, changes are lost when the page is closed.`;
}

const refusedText = (what: string) =>
  `${what} could not be saved: the browser does not allow it. Changes are lost when the page is closed.`;
