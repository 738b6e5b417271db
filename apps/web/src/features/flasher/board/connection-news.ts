/**
 * Shows toasts about the connection to a shared bench while the page uses one of its boards. The list of shared
 * boards, which shows the same state, is hidden during that time.
 */

import type { LiveTick } from '../../../protocol/live-protocol.ts';
import { dismissToast, toast } from '../../../shared/ui/toast.ts';
import { onVisitChange } from '../../../workbench/live/live-store.ts';

/** Id of the toast that is shown now; null while the connection is intact. */
let lost: number | null = null;

/**
 * Starts the toasts for the lifetime of the page. A second call changes nothing, because the store knows this
 * listener.
 */
export function announceConnection(): void {
  onVisitChange(announce);
}

function announce({ tick }: { readonly tick: LiveTick | null }): void {
  if (tick === null) {
    return;
  }
  const isAway = isLost(tick);
  if (isAway && lost === null && tick.ports.some(({ isYours }) => isYours)) {
    lost = toast('The connection to the shared bench is lost. Trying again.', {
      level: 'error',
      detail: 'When it is back within a minute, what was begun at the board goes on by itself.',
    });
  } else if (!isAway && lost !== null) {
    dismissToast(lost);
    lost = null;
    if (tick.state === 'joined') {
      toast('Connected to the shared bench again.');
    }
  }
}

const isLost = ({ state, isHostAway }: LiveTick) => state === 'away' || (state === 'joined' && isHostAway);
