/** Requests a share link, copies it to the clipboard and confirms that. */
import type { ReleaseChannel } from '@wirebench/contract';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { useShare } from '../calls/items.ts';
import { type ItemType, releaseFailureText } from '../release-texts.ts';
import { shareLink } from './release-links.ts';

/**
 * @param what Target of the link, such as `version 1.4.0`.
 * @param channel Channel that a project's link follows.
 * @param onDone Called with true if the link is in the clipboard, and with false if the browser did not copy it.
 */
export function useCopyShareLink(
  type: ItemType,
  id: string,
  what: string,
  channel: ReleaseChannel = 'stable',
  onDone: (isCopied: boolean) => void = () => undefined,
) {
  return useShare(type, id, {
    onSuccess: (shareId) => void copy(shareLink(location.origin, type, shareId, channel), what).then(onDone),
    onError: (error) => toast(releaseFailureText.share(type), { level: 'error', detail: errorMessage(error) }),
  });
}

async function copy(link: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
  } catch (error) {
    console.warn('The link was not copied.', error);
    // An error toast stays until it is closed, so that the user can copy the link by hand.
    toast(`The browser did not copy the link to ${what}. Here it is:`, { level: 'error', detail: link });
    return false;
  }
  toast(`Link to ${what} copied`, { detail: link.replace(/^https?:\/\/[^/]+/, '…') });
  return true;
}
