import { useState } from 'react';

/** How often a dialog was opened: as the key of what it holds, each opening begins anew, and it stays while it closes. */
export function useOpenings(open: boolean): number {
  const [opening, setOpening] = useState({ open, number: 0 });
  if (opening.open !== open) {
    setOpening({ open, number: opening.number + (open ? 1 : 0) });
  }
  return opening.number;
}
