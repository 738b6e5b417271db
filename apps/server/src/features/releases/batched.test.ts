import { describe, expect, it } from 'vitest';
import { batched } from './batched.ts';

/** A slow source of values: each call waits until the test resolves it. */
function source() {
  const calls: { keys: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, number>> }[] = [];
  let value = 0;
  return {
    calls,
    load: (keys: readonly string[]) => {
      const answer = Promise.withResolvers<ReadonlyMap<string, number>>();
      // The value is read when the query starts.
      const now = value;
      calls.push({
        keys,
        answer: { ...answer, resolve: () => answer.resolve(new Map(keys.map((key) => [key, now]))) },
      });
      return answer.promise;
    },
    change: () => {
      value++;
    },
    goOn: (call: number) => calls[call]?.answer.resolve(new Map()),
  };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('batched questions', () => {
  it('are loaded in one call, each key once, if they arrive together', async () => {
    const { load, calls, goOn } = source();
    const ask = batched(load, 10);
    const answers = Promise.all([ask('a'), ask('b'), ask('a')]);
    await nextTurn();
    expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    goOn(0);
    expect(await answers).toEqual([0, 0, 0]);
  });

  it('are never answered with data that was read before they were asked', async () => {
    const { load, calls, change, goOn } = source();
    const ask = batched(load, 10);
    const before = ask('a');
    await nextTurn();
    change();
    const after = ask('a');
    await nextTurn();
    expect(calls).toHaveLength(1);
    goOn(0);
    expect(await before).toBe(0);
    await nextTurn();
    expect(calls).toHaveLength(2);
    goOn(1);
    expect(await after).toBe(1);
  });

  it('are split into pieces that the database accepts', async () => {
    const { load, calls, goOn } = source();
    const ask = batched(load, 2);
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask));
    for (const [call, keys] of [['a', 'b'], ['c', 'd'], ['e']].entries()) {
      await nextTurn();
      expect(calls[call]?.keys).toEqual(keys);
      goOn(call);
    }
    expect(await answers).toEqual([0, 0, 0, 0, 0]);
  });

  it('return undefined for unknown keys, and a failure rejects only the callers of its batch', async () => {
    let isBroken = true;
    const ask = batched(async (keys) => {
      if (isBroken) {
        throw new Error('away');
      }
      return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]));
    }, 10);
    const failed = await Promise.allSettled([ask('a'), ask('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await Promise.all([ask('a'), ask('unknown')])).toEqual([1, undefined]);
  });
});
