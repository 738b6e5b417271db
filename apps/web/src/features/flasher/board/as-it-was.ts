/** Times of what is said about a board: when its contents were last seen, and when something was built or written. */
import { useEffect, useState } from 'react';
import { clockText } from '../../../shared/dates/dates.ts';
import { holdsContents } from '../state/flash-state.ts';
import { useFlash } from '../store/flasher-store.ts';

const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/**
 * Returns `14:31:08`.
 * @param at Milliseconds since the Unix epoch.
 */
export const secondText = (at: number): string => seconds.format(at);

/**
 * Returns `As it was at 14:31`.
 * @param at Time of the read, in milliseconds since the Unix epoch.
 */
export const asItWasText = (at: number): string => `As it was at ${clockText(at)}`;

/** Returns `As it was at 14:31`; null while the board is in its bootloader. */
export function useAsItWas(): string | null {
  const isHere = useFlash(({ phase }) => holdsContents({ phase }));
  const [seenAt, setSeenAt] = useState(() => Date.now());
  useEffect(() => (isHere ? () => setSeenAt(Date.now()) : undefined), [isHere]);
  return isHere ? null : asItWasText(seenAt);
}
