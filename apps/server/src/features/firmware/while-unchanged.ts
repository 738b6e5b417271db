/** Answers again what was loaded before, as long as nothing was committed since. Knows nothing of what is loaded. */

type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** Values that are kept at the same time. */
const MOST_KEPT = 10_000;

/**
 * @param version changes with every commit, as `Database.contentVersion`; null where that is not known, and then everything is loaded.
 * @param load has to see everything that was committed before it is called.
 */
export function whileUnchanged<Value>(version: () => number | null, load: Load<Value>): Load<Value> {
  const kept = new Map<string, Value>();
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
      // A commit in the meantime may be in these values or not: they are not kept for the version after it.
      const isCurrent = now === keptAt;
      if (isCurrent && kept.size + loaded.size > MOST_KEPT) {
        kept.clear();
      }
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
