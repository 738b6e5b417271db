import { useState } from 'react';

/**
 * Counts the openings of a dialog. As the key of its content, each opening starts fresh, and the content stays while
 * the dialog closes.
 */
export function useOpenings(open: boolean): number {
  const [opening, setOpening] = useState({ open, number: 0 });
  if (opening.open !== open) {
    setOpening({ open, number: opening.number + (open ? 1 : 0) });
  }
  return opening.number;
}
