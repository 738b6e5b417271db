import { describe, expect, it } from 'vitest';
import { SearchQueue } from './search-queue.ts';

const limits = { runningPerUser: 1, running: 2, waitingPerUser: 2, waiting: 3 };
const stays = new AbortController().signal;

/** Starts searches that end when the test says so. `running` holds the names of the started ones in order. */
function held(queue: SearchQueue) {
  const running: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const ask = (user: string, name: string, signal = stays) =>
    queue.run(user, signal, () => {
      running.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    });
  const end = async (name: string) => {
    ends.get(name)?.resolve(name);
    await settled();
  };
  const fail = async (name: string) => {
    ends.get(name)?.reject(new Error(name));
    await settled();
  };
  return { running, ask, end, fail };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of searches', () => {
  it('runs one of a user at a time, and lets others pass who have none running', async () => {
    const { running, ask, end } = held(new SearchQueue(limits));
    const answers = [ask('maker', 'first'), ask('maker', 'second'), ask('tinkerer', 'other'), ask('admin', 'last')];
    expect(running).toEqual(['first', 'other']);
    await end('other');
    expect(running).toEqual(['first', 'other', 'last']);
    await end('first');
    expect(running).toEqual(['first', 'other', 'last', 'second']);
    await end('second');
    await end('last');
    expect(await Promise.all(answers)).toEqual(['first', 'second', 'other', 'last']);
  });

  it('refuses what is too much for one user, and what is too much for all, with the time to come back', async () => {
    const { ask } = held(new SearchQueue(limits));
    for (const name of ['running', 'waiting', 'waiting too']) {
      void ask('maker', name);
    }
    await expect(ask('maker', 'refused')).rejects.toMatchObject({ code: 'too-many-requests', retryAfter: 1 });
    void ask('tinkerer', 'running');
    void ask('tinkerer', 'the third that waits');
    await expect(ask('admin', 'refused')).rejects.toMatchObject({ code: 'search-busy', retryAfter: 1 });
  });

  it('never begins a search whose client has gone while it waited', async () => {
    const { running, ask, end } = held(new SearchQueue(limits));
    const gone = new AbortController();
    const first = ask('maker', 'first');
    const abandoned = ask('maker', 'abandoned', gone.signal);
    const next = ask('maker', 'next');
    gone.abort();
    await expect(abandoned).rejects.toMatchObject({ code: 'too-many-requests' });
    await expect(ask('maker', 'too late', gone.signal)).rejects.toMatchObject({ code: 'too-many-requests' });
    await end('first');
    await end('next');
    expect(await Promise.all([first, next])).toEqual(['first', 'next']);
    expect(running).toEqual(['first', 'next']);
  });

  it('goes on after a search that failed', async () => {
    const { ask, end, fail } = held(new SearchQueue(limits));
    const failing = ask('maker', 'failing');
    const next = ask('maker', 'next');
    const failure = expect(failing).rejects.toThrow('failing');
    await fail('failing');
    await failure;
    await end('next');
    expect(await next).toBe('next');
  });
});
