/**
 * Combines queries of many callers into one. Each key is loaded by a query that starts after the call, never by one
 * that already runs. A caller therefore sees its own earlier changes.
 */

type Answer<Value> = PromiseWithResolvers<Value | undefined>;

/**
 * Returns a function that loads single keys in batches.
 *
 * @param load Loads at most `most` distinct keys. Calls do not overlap. Keys that it leaves out yield undefined. A
 *   rejection rejects all waiting callers.
 */
export function batched<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  most: number,
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, Answer<Value>>();
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = new Map([...waiting].slice(0, most));
      for (const key of batch.keys()) {
        waiting.delete(key);
      }
      await load([...batch.keys()]).then(
        (values) => {
          for (const [key, { resolve }] of batch) {
            resolve(values.get(key));
          }
        },
        (error: unknown) => {
          for (const { reject } of batch.values()) {
            reject(error);
          }
        },
      );
    }
    isRunning = false;
  }

  return (key) => {
    const answer = waiting.get(key) ?? Promise.withResolvers<Value | undefined>();
    waiting.set(key, answer);
    if (!isRunning) {
      isRunning = true;
      // Deferred, so that calls of the same moment join one batch.
      setImmediate(run);
    }
    return answer.promise;
  };
}
