import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

/** Returns the keys that the map still has, without counting them as used. */
const keysOf = (map: Pick<BoundedMap<string, unknown>, 'peek'>, keys: string) =>
  [...keys].filter((key) => map.peek(key) !== undefined).join('');

describe('bounded map', () => {
  it('removes the entry that was unused for longest', () => {
    const map = new BoundedMap<string, number>({ capacity: 3 });
    for (const key of 'abc') {
      map.set(key, 1);
    }
    expect(map.get('a')).toBe(1);
    map.set('b', 2);
    map.set('d', 1);
    expect(keysOf(map, 'abcd')).toBe('abd');
    map.set('e', 1);
    expect(keysOf(map, 'abde')).toBe('bde');
  });

  it('removes the oldest entry if entries are only peeked at', () => {
    const map = new BoundedMap<string, number>({ capacity: 2 });
    map.set('a', 1);
    map.set('b', 1);
    expect(map.peek('a')).toBe(1);
    map.set('c', 1);
    expect(keysOf(map, 'abc')).toBe('bc');
  });

  it('removes entries at the moment of their expiry', async () => {
    const clock = new VirtualClock(1_000_000);
    const map = new BoundedMap<string, string>({ capacity: 3, clock });
    map.set('short', 'x', 1_000_010);
    map.set('long', 'y', 1_000_020);
    map.set('endless', 'z');
    await clock.advance(9);
    expect([map.get('short'), map.peek('short')]).toEqual(['x', 'x']);
    await clock.advance(1);
    expect([map.get('short'), map.get('long')]).toEqual([undefined, 'y']);
    map.set('long', 'later', 1_000_100);
    await clock.advance(80);
    expect([map.peek('long'), map.peek('endless')]).toEqual(['later', 'z']);
    await clock.advance(1_000_000);
    expect([map.peek('long'), map.peek('endless')]).toEqual([undefined, 'z']);
  });

  it('expires by the system clock by default', () => {
    const map = new BoundedMap<string, string>({ capacity: 2 });
    map.set('past', 'x', Date.now() - 60_000);
    map.set('future', 'y', Date.now() + 60_000);
    expect([map.get('past'), map.get('future')]).toEqual([undefined, 'y']);
  });

  it('keeps nothing of a value that is larger than the capacity', () => {
    const map = new BoundedMap<string, string>({ capacity: 10, sizeOf: ({ length }) => length });
    map.set('a', 'x'.repeat(4));
    map.set('b', 'x'.repeat(6));
    expect(keysOf(map, 'ab')).toBe('ab');
    map.set('c', 'x'.repeat(11));
    expect(keysOf(map, 'abc')).toBe('');
    map.set('d', 'x'.repeat(10));
    expect(keysOf(map, 'd')).toBe('d');
  });

  it('forgets deleted entries and their sizes', () => {
    const map = new BoundedMap<string, string>({ capacity: 10, sizeOf: ({ length }) => length });
    map.set('a', 'x'.repeat(10));
    map.delete('a');
    map.delete('a');
    map.set('b', 'x'.repeat(5));
    map.set('c', 'x'.repeat(5));
    expect(keysOf(map, 'abc')).toBe('bc');
    map.clear();
    map.set('d', 'x'.repeat(5));
    map.set('e', 'x'.repeat(5));
    expect(keysOf(map, 'bcde')).toBe('de');
  });

  it('holds the most recently used entries that fit, whatever is done to it', () => {
    const step = fc.record({
      kind: fc.constantFrom('set', 'get', 'peek', 'delete'),
      key: fc.constantFrom(...'abcdef'),
      size: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new BoundedMap<string, number>({ capacity: 10, sizeOf: (size) => size });
        /** The expected entries, least recently used first. */
        let model: { key: string; size: number }[] = [];
        for (const { kind, key, size } of steps) {
          const known = model.find((entry) => entry.key === key);
          if (kind === 'get' || kind === 'peek') {
            expect(map[kind](key)).toBe(known?.size);
          } else if (kind === 'set') {
            map.set(key, size);
          } else {
            map.delete(key);
          }
          if (kind !== 'peek') {
            model = model.filter((entry) => entry !== known);
            const used = kind === 'set' ? { key, size } : kind === 'get' ? known : undefined;
            model.push(...(used === undefined ? [] : [used]));
          }
          while (model.reduce((sum, entry) => sum + entry.size, 0) > 10) {
            model.shift();
          }
        }
        for (const key of 'abcdef') {
          expect(map.peek(key)).toBe(model.find((entry) => entry.key === key)?.size);
        }
      }),
    );
  });
});
