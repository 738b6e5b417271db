import { describe, expect, it } from 'vitest';
import { indentation } from './indent.ts';

/** Applies Tab to a text whose selection is between two bars, or whose caret is one bar. */
function tab(marked: string, isOut = false): string {
  const [before = '', middle = '', after] = marked.split('|');
  const text = before + middle + (after ?? '');
  const end = after === undefined ? before.length : before.length + middle.length;
  const { from, to, by, start, end: last } = indentation(text, before.length, end, isOut);
  const now = text.slice(0, from) + by + text.slice(to);
  return start === last
    ? `${now.slice(0, start)}|${now.slice(start)}`
    : `${now.slice(0, start)}|${now.slice(start, last)}|${now.slice(last)}`;
}

describe('Tab in the editor', () => {
  it('inserts four spaces at the caret, and over a selection within a line', () => {
    expect(tab('a|b')).toBe('a    |b');
    expect(tab('a|bc|d')).toBe('a    |d');
  });

  it('indents the lines that are selected, without empty ones', () => {
    expect(tab('if x:\n|a\n\nb|\nc')).toBe('if x:\n    |a\n\n    b|\nc');
    expect(tab('|a\nb\n|c')).toBe('    |a\n    b\n|c');
  });

  it('takes up to four spaces or a tab from lines with Shift', () => {
    expect(tab('    |    a\n  b\n\tc|\n', true)).toBe('|    a\nb\nc|\n');
    expect(tab('  a|b', true)).toBe('a|b');
    expect(tab('a|b', true)).toBe('a|b');
  });
});
