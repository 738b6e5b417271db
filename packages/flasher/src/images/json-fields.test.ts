import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault } from './json-fields.ts';

describe('fault of a JSON text', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3, 1, '"}" follows a comma.', 'Remove the comma in line 2, column 9.'],
    ['[1,,2]', 1, 4, '"," follows a comma.', 'Remove the comma in line 1, column 3.'],
    ['{"a": 1 "b": 2}', 1, 9, 'a comma or "}" is missing before a text in quotes.', 'Add it.'],
    ['{"a" 1}', 1, 6, 'a colon is missing before "1".', 'Add it.'],
    ["{'a': 1}", 1, 2, '"\'" is not JSON.', 'Put names and texts between plain double quotes (").'],
    ['{"a": 0x10000}', 1, 7, '"0x10000" is not JSON.', 'Correct it there.'],
    ['// a\n{}', 1, 1, '"/" is not JSON.', 'Remove the comment: JSON has none.'],
    ['{"a": "b\r\n"}', 1, 9, 'the text in quotes has no end on its line.', 'Add the quote at its end.'],
    ['{"a": "C:\\x"}', 1, 10, '"\\x" is no escape of JSON.', 'Write two backslashes for one.'],
    ['{\r\n"a": [1', 2, 8, 'the text ends, and "]" is missing.', 'Get a complete copy of the file.'],
    ['{} x', 1, 4, '"x" follows the end.', 'Remove it.'],
  ])('%j is placed by line and column', (text, line, column, what, remedy) => {
    expect(jsonFault(text)).toEqual({ line, column, what, remedy });
  });

  it('is found exactly when the engine refuses the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '.5',
      'e3',
      'true',
      ' ',
      '\n',
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        return (jsonFault(text) === null) === isJson;
      }),
    );
  });
});
