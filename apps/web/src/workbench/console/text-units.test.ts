import { describe, expect, it } from 'vitest';
import { charactersOf, nextCharacter, wordAt } from './text-units.ts';

describe('characters of a text', () => {
  it('never end inside of what is seen as one', () => {
    expect(charactersOf('ab')).toEqual([0, 1, 2]);
    expect(charactersOf('')).toEqual([0]);
    expect(charactersOf('a\u{1f600}e\u0301b')).toEqual([0, 1, 3, 5, 6]);
  });

  it('follow each other up to both ends', () => {
    const text = 'a\u{1f600}b';
    expect(nextCharacter(text, 1, 1)).toBe(3);
    expect(nextCharacter(text, 3, -1)).toBe(1);
    expect(nextCharacter(text, 4, 1)).toBeNull();
    expect(nextCharacter(text, 0, -1)).toBeNull();
  });
});

describe('word', () => {
  it.each([
    ['temp: 21.5 °C', 8, '21.5'],
    ['open /dev/ttyUSB0, now', 9, '/dev/ttyUSB0'],
    ['f("x")', 3, 'x'],
    ['a    b', 2, '    '],
    ['größe=3', 2, 'größe=3'],
    ['end', 99, 'end'],
    ['', 0, ''],
  ])('in %j at %i is %j', (text, unit, word) => {
    const { start, end } = wordAt(text, unit);
    expect(text.slice(start, end)).toBe(word);
  });
});
