import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredTexts } from './required-text.ts';

describe('texts that an expression requires', () => {
  it.each([
    ['error', '', ['error']],
    ['^E \\(\\d+\\) wifi', '', [') wifi']],
    ['error|failed', 'i', ['error', 'failed']],
    ['(?:panic|abort)ed at 0x', '', ['ed at 0x']],
    ['a(?:bc)+d', '', ['bc']],
    ['(?:ab){3}', '', ['ababab']],
    ['heap: ?\\d+', '', ['heap:']],
    ['login:\\s*$', '', ['login:']],
    ['\\[ERR\\]', '', ['[ERR]']],
    ['größe', '', ['größe']],
  ])('are found for /%s/%s', (source, flags, texts) => {
    expect(requiredTexts(source, flags)).toEqual(texts);
  });

  it.each([
    ['\\d+', ''],
    ['(?:error)?', ''],
    ['error|', ''],
    ['a|bc', ''],
    ['größe|é', 'i'],
    ['task', 'iu'],
    ['\\ufffd\\ufffd', ''],
    ['[ab][cd]', ''],
  ])('are unknown for /%s/%s', (source, flags) => {
    expect(requiredTexts(source, flags)).toBeNull();
  });

  it('are part of every match', () => {
    const part = fc.constantFrom('ab', 'c', '[ab]', '(?:ab|ca)', 'b+', '(?:ca){2}', 'a?', '.', '\\b', '(?:bc)*');
    const source = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 24 }),
        (expression, text) => {
          const found = new RegExp(expression).exec(text)?.[0];
          const texts = requiredTexts(expression, '');
          expect(found === undefined || texts === null || texts.some((required) => found.includes(required))).toBe(
            true,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
