import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { NeedleFinder } from './joint-matcher.ts';

function places(needles: readonly string[], text: string): string[] {
  const found: string[] = [];
  const bytes = utf8(text);
  new NeedleFinder(needles.map(utf8)).scan(bytes, 0, bytes.length, (needle, end) => found.push(`${needle} ${end}`));
  return found.sort();
}

it('finds needles inside each other, in any case of letters', () => {
  expect(places(['he', 'she', 'hers', 'his'], 'uSHErs')).toEqual(['0 4', '1 4', '2 6']);
});

it('finds each needle wherever a search for it alone does', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é'), maxLength: 40 }),
      (needles, text) => {
        const lower = (all: string) => all.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        const expected = needles.flatMap((needle, index) => {
          const ends: string[] = [];
          for (
            let at = lower(text).indexOf(lower(needle));
            at !== -1;
            at = lower(text).indexOf(lower(needle), at + 1)
          ) {
            ends.push(`${index} ${utf8(text.slice(0, at)).length + utf8(needle).length}`);
          }
          return ends;
        });
        expect(places(needles, text)).toEqual(expected.sort());
      },
    ),
  );
});
