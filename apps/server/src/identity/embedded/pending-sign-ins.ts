/**
 * Sign-ins in progress by address, so that a flood from one address displaces only its own. Counts in this process.
 * The table has a separate limit (`sqlite-adapter.ts`).
 */
import { BoundedMap } from '../../bounded-map.ts';
import { addressKey } from '../../plugins/address-key.ts';

/** Sign-ins in progress of one address: enough for a class that signs in at once. */
export const MAX_OF_ADDRESS = 100;

const MAX_ADDRESSES = 1_000;

export class PendingSignIns {
  readonly #byAddress = new BoundedMap<string, string[]>({ capacity: MAX_ADDRESSES });

  /** Adds a sign-in. Returns the sign-ins of the same address that have to be removed. */
  add(address: string, uid: string): readonly string[] {
    const key = addressKey(address);
    const uids = this.#byAddress.get(key) ?? [];
    this.#byAddress.set(key, uids);
    uids.push(uid);
    return uids.splice(0, Math.max(0, uids.length - MAX_OF_ADDRESS));
  }
}
