import { describe, expect, it } from 'vitest';
import { maximumTries, retry } from './retry.ts';

/** Returns work that fails with these failures in order, and then succeeds. */
function failing(...failures: readonly string[]) {
  const left = [...failures];
  const recovered: [failure: string, faults: number][] = [];
  const options = {
    failureOf: (error: unknown) => (error as Error).message,
    isTransient: (failure: string) => failure !== 'refused',
    recover: async (failure: string, faults: number) => {
      recovered.push([failure, faults]);
    },
  };
  const work = async () => {
    const failure = left.shift();
    if (failure !== undefined) {
      throw new Error(failure);
    }
    return 'done';
  };
  return { work, options, recovered };
}

describe('retrying', () => {
  it('succeeds after transient faults, with the board recovered before each attempt', async () => {
    const { work, options, recovered } = failing('silent', 'damaged');
    expect(await retry(work, options)).toBe('done');
    expect(recovered).toEqual([
      ['silent', 1],
      ['damaged', 2],
    ]);
  });

  it('ends with the last fault', async () => {
    const { work, options, recovered } = failing('one', 'two', 'three');
    await expect(retry(work, options)).rejects.toBe('three');
    expect(recovered).toHaveLength(maximumTries - 1);
  });

  it('ends at once when another attempt is useless', async () => {
    const { work, options, recovered } = failing('refused');
    await expect(retry(work, options)).rejects.toBe('refused');
    expect(recovered).toEqual([]);
  });

  it('restarts its count after progress', async () => {
    const { work, options, recovered } = failing('one', 'two', 'three', 'four');
    let done = 0;
    await retry(work, { ...options, progress: () => done++ });
    expect(recovered.map(([, faults]) => faults)).toEqual([1, 1, 1, 1]);
  });

  it('ends with the error of the recovery', async () => {
    const { work, options } = failing('silent');
    const recover = () => Promise.reject(new Error('gone'));
    await expect(retry(work, { ...options, recover })).rejects.toThrow('gone');
  });
});
