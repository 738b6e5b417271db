import { describe, expect, it } from 'vitest';
import { placed, placesOf } from './slots.ts';

const jkit = (number: number) => ({ _id: `id-${number}` });
const ids = (slots: readonly ({ _id: string } | null)[]) => slots.map((one) => one?._id ?? null);
const [one, two, three, four] = [jkit(1), jkit(2), jkit(3), jkit(4)];

describe('jkit slots', () => {
  it('are filled by the first of the list where nothing is remembered', () => {
    expect(ids(placed([three, one, two], {}, 5))).toEqual(['id-3', 'id-1', 'id-2', null, null]);
  });

  it('keep their places when one is deleted, and the next that is saved takes the free one', () => {
    const before = placesOf(placed([one, two, three], {}, 5));
    const after = placed([one, three], before, 5);
    expect(ids(after)).toEqual(['id-1', null, 'id-3', null, null]);
    expect(ids(placed([four, one, three], placesOf(after), 5))).toEqual(['id-1', 'id-4', 'id-3', null, null]);
  });

  it('keep their places whatever the server lists first', () => {
    const before = placesOf(placed([one, two, three], {}, 5));
    expect(placesOf(placed([two, three, one], before, 5))).toEqual(before);
  });

  it('are more than the limit while more are filled', () => {
    expect(ids(placed([one, two, three], {}, 2))).toEqual(['id-1', 'id-2', 'id-3']);
  });

  it('find room for what is remembered at a place that is taken, or that is no more', () => {
    expect(ids(placed([one, two, three], { 'id-1': 1, 'id-2': 1, 'id-3': 9 }, 3))).toEqual(['id-2', 'id-1', 'id-3']);
  });
});
