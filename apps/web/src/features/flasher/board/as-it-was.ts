/** Time at which the contents of a board were last seen, for a board that has restarted since. */
import { useEffect, useState } from 'react';
import { holdsContents } from '../state/flash-state.ts';
import { useFlash } from '../store/flasher-store.ts';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });

/** Returns `As it was at 14:31`; null while the board is in its bootloader. */
export function useAsItWas(): string | null {
  const isHere = useFlash(({ phase }) => holdsContents({ phase }));
  const [seenAt, setSeenAt] = useState(() => Date.now());
  useEffect(() => (isHere ? () => setSeenAt(Date.now()) : undefined), [isHere]);
  return isHere ? null : `As it was at ${clock.format(seenAt)}`;
}
