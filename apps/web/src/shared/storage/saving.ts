/** Writes to a browser's storage that may be full or denied. The page continues, and the user gets one message. */
import { toast } from '../ui/toast.ts';
import { isStorageFull } from './browser-storage.ts';

interface Saved {
  /** Subject of the message about a failed save, as the beginning of a sentence: `The device panels`. */
  readonly what: string;
  /** Advice for freeing space, besides deleting other data of the site. Omitted: no such advice. */
  readonly room?: string;
}

/**
 * Returns a function that runs a write to a storage, and shows a message if the storage is full or denied. Further
 * messages are shown only after a successful write.
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
