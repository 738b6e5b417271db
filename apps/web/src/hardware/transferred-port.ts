/**
 * Transfers a port from one page of Wirebench to the next in the same tab, so that the person need not pick it again.
 */
import { type PortPlace, permittedPlaces, sameInfo } from './permitted-ports.ts';

/** Key in the tab's session storage. Other tabs do not see it. */
const key = 'wirebench.handed-over-port';

/** Stores a port for the page that is opened next. */
export function transferPort({ index, count, info }: PortPlace): void {
  sessionStorage.setItem(key, JSON.stringify({ index, count, info }));
}

/** Returns the port that the previous page transferred; null without one, or if several boards now match it. */
export async function takeTransferredPort(): Promise<PortPlace | null> {
  const note = readNote(sessionStorage.getItem(key));
  sessionStorage.removeItem(key);
  if (note === null) {
    return null;
  }
  const places = await permittedPlaces();
  const alike = places.filter(({ info }) => sameInfo(info, note.info));
  const [only] = alike;
  // The index decides among boards of one kind. It is valid while no board was plugged in or pulled out.
  const there = places.length === note.count ? alike.find(({ index }) => index === note.index) : undefined;
  return there ?? (alike.length === 1 && only !== undefined ? only : null);
}

function readNote(text: string | null): Pick<PortPlace, 'index' | 'count' | 'info'> | null {
  try {
    const note: unknown = JSON.parse(text ?? 'null');
    return isNote(note) ? note : null;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

function isNote(note: unknown): note is Pick<PortPlace, 'index' | 'count' | 'info'> {
  return (
    typeof note === 'object' &&
    note !== null &&
    'index' in note &&
    typeof note.index === 'number' &&
    'count' in note &&
    typeof note.count === 'number' &&
    'info' in note &&
    typeof note.info === 'object' &&
    note.info !== null
  );
}
