import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descriptionPreview, withoutMarkdown } from './description-preview.ts';

describe('preview of a description', () => {
  it('shows 80 characters as they are, and cuts the 81st', () => {
    expect(descriptionPreview('x'.repeat(80))).toEqual({ text: 'x'.repeat(80), cut: false });
    expect(descriptionPreview('x'.repeat(81))).toEqual({ text: `${'x'.repeat(80)}…`, cut: true });
  });

  it('shows several lines as one, and says that there is more to see', () => {
    expect(descriptionPreview(' Fixes:\n\n- I2C ')).toEqual({ text: 'Fixes: - I2C', cut: true });
  });

  it('cuts no character in halves', () => {
    expect(descriptionPreview('👩‍🔧'.repeat(81)).text).toBe(`${'👩‍🔧'.repeat(80)}…`);
  });

  it('never has more than 80 characters and the mark of the cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (description) => {
        const { text } = descriptionPreview(description);
        expect([...new Intl.Segmenter().segment(text)].length).toBeLessThanOrEqual(81);
      }),
    );
  });
});

describe('words of a Markdown text', () => {
  it.each([
    ['## Fixed', 'Fixed'],
    ['- one\n2. two\n> three', 'one\ntwo\nthree'],
    ['**bold** and `code` and *soft*', 'bold and code and soft'],
    ['see [the notes](https://example.com "Notes") ![a chip](chip.png)', 'see the notes a chip'],
    ['```c\nint a;\n```', '\nint a;\n'],
    ['2 * 3 * 4 and snake_case_name and a*b', '2 * 3 * 4 and snake_case_name and a*b'],
  ])('%j are %j', (markdown, text) => {
    expect(withoutMarkdown(markdown)).toBe(text);
  });
});
