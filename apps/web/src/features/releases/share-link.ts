/** Puts a share link on the clipboard and says so. */
import { toast } from '../../shared/ui/toast.ts';

/** @param what it leads to, such as `version 1.4.0` */
export async function copyShareLink(link: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
  } catch (error) {
    console.warn('The link was not copied.', error);
    // Stays until it is closed, so that there is time to copy it by hand.
    toast(`The browser did not copy the link to ${what}. Here it is:`, { level: 'error', detail: link });
    return;
  }
  toast(`Link to ${what} copied`, { detail: link.replace(/^https?:\/\/[^/]+/, '…') });
}
