/** Reasons to warn before the document is left: open ports, and a shared bench. */
import { openPorts } from './open-ports.ts';
import { sharedBenches } from './sharing/sharing-store.ts';

const parts = [openPorts, sharedBenches];

export const benchAtStake = {
  /** 0 when nothing would be lost. */
  count: () => parts.reduce((sum, { count }) => sum + count(), 0),
  /** Calls `listener` when that may have changed. Returns a function that ends it. */
  subscribe(listener: () => void): () => void {
    const ends = parts.map((part) => part.subscribe(listener));
    return () => {
      for (const end of ends) {
        end();
      }
    };
  },
};
