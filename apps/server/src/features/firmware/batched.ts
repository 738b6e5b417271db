/**
 * Asks once for what many callers ask for one by one. Every question is put after it was asked, never answered from a
 * query that was under way before: whoever changed something and then asks sees his change.
 */

type Answer<Value> = PromiseWithResolvers<Value | undefined>;

/**
 * `load` gets each key once, at most `most` of them, one call after the other. What it does not know it leaves out, and is
 * answered undefined. When it rejects, so does everybody who waited for it.
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
      // Not before everything that arrived together has been put to the same question.
      setImmediate(run);
    }
    return answer.promise;
  };
}
