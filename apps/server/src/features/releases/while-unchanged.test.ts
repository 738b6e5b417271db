import { describe, expect, it } from 'vitest';
import { whileUnchanged } from './while-unchanged.ts';

/** A value that commits change, with a counter of its reads. */
function source() {
  let version: number | null = 1;
  let value: string | undefined = 'first';
  let reads = 0;
  let held: PromiseWithResolvers<void> | null = null;
  const load = whileUnchanged(
    () => version,
    async (keys) => {
      reads++;
      const seen = value;
      await held?.promise;
      return new Map(seen === undefined ? [] : keys.map((key) => [key, seen]));
    },
  );
  return {
    ask: async () => (await load(['key'])).get('key'),
    reads: () => reads,
    commit: (next: string | undefined) => {
      value = next;
      version = (version ?? 0) + 1;
    },
    forgetVersion: () => {
      version = null;
    },
    hold: () => {
      held = Promise.withResolvers();
      return () => held?.resolve();
    },
  };
}

describe('cached value', () => {
  it('is returned without a second read while nothing is committed', async () => {
    const { ask, reads } = source();
    expect([await ask(), await ask(), await ask()]).toEqual(['first', 'first', 'first']);
    expect(reads()).toBe(1);
  });

  it('is read again after a commit', async () => {
    const { ask, commit } = source();
    await ask();
    commit('second');
    expect(await ask()).toBe('second');
  });

  it('is not kept if a commit came while it was read', async () => {
    const { ask, commit, hold } = source();
    const goOn = hold();
    const before = ask();
    commit('second');
    const after = ask();
    goOn();
    expect([await before, await after]).toEqual(['first', 'second']);
    expect(await ask()).toBe('second');
  });

  it('is not kept if it is undefined, so that unknown share ids take no memory', async () => {
    const { ask, commit, reads } = source();
    commit(undefined);
    expect([await ask(), await ask()]).toEqual([undefined, undefined]);
    expect(reads()).toBe(2);
  });

  it('is read every time if the version is unknown', async () => {
    const { ask, forgetVersion, reads } = source();
    await ask();
    forgetVersion();
    await ask();
    await ask();
    expect(reads()).toBe(3);
  });
});
