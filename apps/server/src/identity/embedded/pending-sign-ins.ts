/**
 * Sign-ins that have begun, by the address that began them, so that a flood from one address pushes out its own and nobody else's. Counts in
 * this process; the table has a limit of its own (`sqlite-adapter.ts`).
 */
import { addressKey } from '../../plugins/address-key.ts';

/** Of one address: a class room that signs in at once. */
export const MOST_OF_ADDRESS = 100;

/** Addresses; those that came first go first. */
const MOST_ADDRESSES = 1_000;

export class PendingSignIns {
  readonly #byAddress = new Map<string, string[]>();

  /** Notes a sign-in and returns those of the same address that have to go for it. */
  add(address: string, uid: string): readonly string[] {
    const key = addressKey(address);
    const uids = this.#byAddress.get(key) ?? [];
    this.#byAddress.delete(key);
    this.#byAddress.set(key, uids);
    uids.push(uid);
    if (this.#byAddress.size > MOST_ADDRESSES) {
      const [oldest = ''] = this.#byAddress.keys();
      this.#byAddress.delete(oldest);
    }
    return uids.splice(0, Math.max(0, uids.length - MOST_OF_ADDRESS));
  }
}
