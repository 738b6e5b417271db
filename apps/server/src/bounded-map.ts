/**
 * A map of bounded size, for caches and counts that a flood of callers must not grow. The entry that was unused for
 * longest is removed first. An evicted entry may be one that has not expired, so callers must be able to do without it.
 */
import { type Clock, systemClock } from '@wirebench/clock';

export interface BoundedMapOptions<Value> {
  /** Maximum number of entries, or maximum sum of their sizes if there is `sizeOf`. */
  readonly capacity: number;
  readonly sizeOf?: (value: Value) => number;
  /** Measures the expiry of entries. Default: the system's clock. */
  readonly clock?: Clock;
}

interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly size: number;
}

export class BoundedMap<Key, Value> {
  readonly #capacity: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #size = 0;

  constructor({ capacity, sizeOf = () => 1, clock = systemClock }: BoundedMapOptions<Value>) {
    this.#capacity = capacity;
    this.#sizeOf = sizeOf;
    this.#clock = clock;
  }

  /** Returns the value and counts it as used. Returns undefined for an expired one. */
  get(key: Key): Value | undefined {
    const entry = this.#current(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry?.value;
  }

  /**
   * Returns the value without counting it as used. A map that is only peeked into removes its oldest entry first.
   * Returns undefined for an expired one.
   */
  peek(key: Key): Value | undefined {
    return this.#current(key)?.value;
  }

  /**
   * Sets the value and counts it as used. A value that is larger than the capacity removes all entries and is not
   * kept.
   *
   * @param until Time of the clock's `now` from which the entry has expired. A date has to be kept in the value.
   */
  set(key: Key, value: Value, until = Infinity): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    this.#entries.set(key, { value, until, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) {
        break;
      }
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** Returns the entry, and removes it if it has expired. */
  #current(key: Key): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until === Infinity || this.#clock.now() < entry.until) {
      return entry;
    }
    this.delete(key);
    return undefined;
  }
}
