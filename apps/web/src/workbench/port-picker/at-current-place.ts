import { type PortPlace, placeOf, portOfPlace } from '../../hardware/permitted-ports.ts';
import { outdatedPlace } from '../../protocol/bench-protocol.ts';
import type { FlashSource } from '../../protocol/usb-source.ts';
import { CallError } from '../bench-client.ts';

interface SerialSource {
  readonly kind: 'serial';
  readonly place: PortPlace;
}

/** Boards may come and go while a place is looked up. After this many lookups the last error stands. */
const MAX_LOOKUPS = 5;

/** Returns the current place of a port in the browser's list; undefined while it is not plugged in. */
export async function currentPlace(place: PortPlace): Promise<PortPlace | undefined> {
  const port = portOfPlace(place);
  return port && placeOf(port);
}

/**
 * Calls `attempt`. If a board that came or went has moved the port within the browser's list, finds its current place
 * and calls again.
 *
 * @param find Looks the port of the failed source up.
 * @throws The error of the last call; that of `find`.
 */
export async function atCurrentPlace<Source extends FlashSource, Result>(
  source: Source | SerialSource,
  attempt: (source: Source | SerialSource) => Promise<Result>,
  find: (place: PortPlace) => Promise<PortPlace | undefined> = currentPlace,
): Promise<Result> {
  let current = source;
  for (let lookups = 0; ; lookups++) {
    try {
      return await attempt(current);
    } catch (error) {
      const isOutdated = error instanceof CallError && error.name === outdatedPlace;
      const old = 'place' in current && current.kind === 'serial' ? current.place : undefined;
      const place = old !== undefined && isOutdated && lookups < MAX_LOOKUPS ? await find(old) : undefined;
      if (place === undefined) {
        throw error;
      }
      current = { kind: 'serial', place };
    }
  }
}
