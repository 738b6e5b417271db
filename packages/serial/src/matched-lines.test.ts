import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceList } from './matched-lines.ts';

describe('sequence list', () => {
  it('grows and shrinks at both ends as a plain array would', () => {
    const change = fc.record({
      action: fc.constantFrom('append', 'prepend', 'dropFrom', 'dropBefore'),
      amount: fc.nat({ max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const list = new SequenceList();
        let model: number[] = [];
        for (const { action, amount } of changes) {
          const first = model[0] ?? 0;
          const last = model.at(-1) ?? 0;
          if (action === 'append') {
            const more = Array.from({ length: amount }, (_, index) => last + 1 + index * 2);
            list.append(more);
            model.push(...more);
          } else if (action === 'prepend') {
            const more = Array.from({ length: amount }, (_, index) => first - amount + index);
            list.prepend(more);
            model.unshift(...more);
          } else if (action === 'dropFrom') {
            list.dropFrom(last - amount);
            model = model.filter((value) => value < last - amount);
          } else {
            list.dropBefore(first + amount);
            model = model.filter((value) => value >= first + amount);
          }
          expect([...list.view()]).toEqual(model);
        }
        expect(list.length).toBe(model.length);
        expect(list.at(model.length - 1)).toBe(model.at(-1));
        expect(list.at(model.length)).toBeUndefined();
      }),
    );
  });
});
