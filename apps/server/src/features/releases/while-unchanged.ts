/** Caches loaded values until the next commit to the database. */
import { BoundedMap } from '../../bounded-map.ts';

type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** Maximum number of cached values. */
const MAX_KEPT = 10_000;

/**
 * Returns a caching version of `load`.
 *
 * @param version Changes with every commit, like `Database.contentVersion`. Null if unknown; then nothing is cached.
 * @param load Has to see everything that was committed before the call.
 */
export function whileUnchanged<Value>(version: () => number | null, load: Load<Value>): Load<Value> {
  const kept = new BoundedMap<string, Value>({ capacity: MAX_KEPT });
  let keptAt: number | null = null;
  return async (keys) => {
    const now = version();
    if (now === null) {
      return load(keys);
    }
    if (now !== keptAt) {
      kept.clear();
      keptAt = now;
    }
    const values = new Map<string, Value>();
    const missing: string[] = [];
    for (const key of keys) {
      const value = kept.get(key);
      if (value === undefined) {
        missing.push(key);
      } else {
        values.set(key, value);
      }
    }
    if (missing.length > 0) {
      const loaded = await load(missing);
      // A commit during the load may or may not be included in these values, so they are not cached for the newer
      // version.
      const isCurrent = now === keptAt;
      for (const [key, value] of loaded) {
        values.set(key, value);
        if (isCurrent) {
          kept.set(key, value);
        }
      }
    }
    return values;
  };
}
