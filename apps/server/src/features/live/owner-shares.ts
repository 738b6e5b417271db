/** Counts the connections of this process that guests of each account's benches use. */

/**
 * Share of the free places that the benches of one account may use together. Three accounts leave others more than a
 * third.
 */
const SHARE = 0.25;

/** Guests that an account may always have, however few places are free. */
const LEAST = 4;

export class OwnerShares {
  readonly #capacity: number;
  readonly #counts = new Map<string, number>();

  /** @param capacity Maximum number of connections of the process. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Takes a place for a guest of `owner`'s benches.
   *
   * @param connections All connections of the process, including this one.
   * @returns A function that releases the place; null if the account has used its share.
   */
  take(owner: string, connections: number): (() => void) | null {
    const taken = this.#counts.get(owner) ?? 0;
    if (taken >= Math.max(LEAST, (this.#capacity - connections) * SHARE)) {
      return null;
    }
    this.#counts.set(owner, taken + 1);
    return () => {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) {
        this.#counts.delete(owner);
      } else {
        this.#counts.set(owner, left);
      }
    };
  }
}
