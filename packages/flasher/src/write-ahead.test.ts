import { describe, expect, it } from 'vitest';
import { exchangeAhead } from './write-ahead.ts';

interface Setup {
  readonly ahead?: number;
  readonly steps?: readonly string[];
  /** Decides if a request is answered, by the number of waits for it. Default: it is answered. */
  readonly take?: (step: string, time: number) => boolean;
}

/**
 * Returns the actions in order. `a`: sent at once. `b<a`: sent to wait for the answer to a. `a?`: waited for. `a!`:
 * the same, with no other request under way. `drop`: pending writes dropped.
 */
async function run({ ahead = 1, steps = ['a', 'b', 'c'], take = () => true }: Setup) {
  const log: string[] = [];
  const times = new Map<string, number>();
  const source = steps.values();
  const error = await exchangeAhead<string>(
    { dropWaiting: () => log.push('drop') },
    {
      next: () => source.next().value ?? null,
      ahead: () => ahead,
      send: (step, before) => log.push(before === null ? step : `${step}<${before}`),
      take: async (step, isAlone) => {
        log.push(`${step}${isAlone ? '!' : '?'}`);
        times.set(step, (times.get(step) ?? 0) + 1);
        return take(step, times.get(step) ?? 0);
      },
    },
  ).catch((reason: unknown) => String(reason));
  return { said: log.join(' '), error };
}

describe('requests in order', () => {
  it('are sent one by one to a board that is here', async () => {
    expect((await run({})).said).toBe('a a! b b! c c!');
  });

  it('are sent ahead to a board that is somewhere else, each but the first to wait for the answer before', async () => {
    expect((await run({ ahead: 2 })).said).toBe('a b<a a? c<b b? c!');
  });

  it('are sent again from the one on that was not answered, with nothing left waiting beside the board', async () => {
    const take = (step: string, time: number) => step !== 'b' || time > 1;
    expect((await run({ ahead: 3, take })).said).toBe('a b<a c<b a? b? drop b c<b b? c!');
    expect((await run({ take })).said).toBe('a a! b b! b b! c c!');
  });

  it('are dropped behind one that fails', async () => {
    const take = (step: string) => {
      if (step === 'b') {
        throw new Error('refused');
      }
      return true;
    };
    expect(await run({ ahead: 3, take })).toEqual({ said: 'a b<a c<b a? b? drop', error: 'Error: refused' });
    expect(await run({ take })).toEqual({ said: 'a a! b b!', error: 'Error: refused' });
  });

  it('do nothing if there are no steps', async () => {
    expect((await run({ steps: [], ahead: 3 })).said).toBe('');
  });
});
