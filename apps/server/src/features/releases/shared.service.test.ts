import { describe, expect, it } from 'vitest';
import { AnswerCache } from './shared.service.ts';

const answer = (body: string) => ({ body });
const cacheOf = (capacity: number) => new AnswerCache<{ body: string }>(capacity, ({ body }) => body.length);

describe('answer cache', () => {
  it('gives an answer back for its own revision only', () => {
    const cache = cacheOf(100);
    cache.set('a', 1, answer('first'));
    expect(cache.get('a', 1)).toMatchObject(answer('first'));
    expect(cache.get('a', 2)).toBeNull();
    cache.set('a', 2, answer('second'));
    expect(cache.get('a', 1)).toBeNull();
    expect(cache.get('a', 2)).toMatchObject(answer('second'));
  });

  it('drops what was not used for longest once it is full', () => {
    const cache = cacheOf(30);
    for (const key of ['a', 'b', 'c']) {
      cache.set(key, 1, answer(key.repeat(10)));
    }
    cache.get('a', 1);
    cache.set('d', 1, answer('d'.repeat(10)));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key, 1) !== null)).toEqual(['a', 'c', 'd']);
  });

  it('never holds more than it may, and counts what it replaces once', () => {
    const cache = cacheOf(30);
    for (let revision = 0; revision < 100; revision++) {
      cache.set('a', revision, answer('x'.repeat(10)));
      cache.set('b', revision, answer('y'.repeat(20)));
    }
    expect([cache.get('a', 99), cache.get('b', 99)]).not.toContain(null);
    cache.set('large', 1, answer('z'.repeat(31)));
    expect(['a', 'b', 'large'].filter((key) => cache.get(key, 99) ?? cache.get(key, 1))).toEqual([]);
  });
});
