/** A port that one page of Wirebench transfers to the next in the same tab, so that nobody has to pick it again. */
import { type PortPlace, permittedPlaces, sameInfo } from './permitted-ports.ts';

/** In the tab's own storage: another tab has nothing to do with it. */
const key = 'wirebench.handed-over-port';

/** To be taken up by the page that is opened next. */
export function transferPort({ index, count, info }: PortPlace): void {
  sessionStorage.setItem(key, JSON.stringify({ index, count, info }));
}

/** The port that the page before has transferred; null when there is none, or when it cannot be told from others any more. */
export async function takeTransferredPort(): Promise<PortPlace | null> {
  const note = readNote(sessionStorage.getItem(key));
  sessionStorage.removeItem(key);
  if (note === null) {
    return null;
  }
  const places = await permittedPlaces();
  const alike = places.filter(({ info }) => sameInfo(info, note.info));
  const [only] = alike;
  // Among boards of one kind the place decides, which holds while none was plugged in or pulled.
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
