import { type PortPlace, placeOf, portOfPlace } from '../../hardware/permitted-ports.ts';
import { outdatedPlace } from '../../protocol/bench/port-part.ts';
import type { FlashSource } from '../../protocol/usb-source.ts';
import { CallError } from '../bench-client.ts';

type SerialSource = Extract<FlashSource, { readonly kind: 'serial' }>;

/** Maximum lookups while boards come and go. After them the last error is thrown. */
const MAX_LOOKUPS = 5;

/** Returns the current place of a port in the browser's list, or undefined if it is not plugged in. */
export async function currentPlace(place: PortPlace): Promise<PortPlace | undefined> {
  const port = portOfPlace(place);
  return port && placeOf(port);
}

/**
 * Calls `attempt`. If boards were plugged in or out and the port's index in the browser's list has changed, finds the
 * current place and retries.
 * @param find Looks up the port of the failed source.
 * @throws The error of the last call, or that of `find`.
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
