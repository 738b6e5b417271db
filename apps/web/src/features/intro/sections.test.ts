import { describe, expect, it } from 'vitest';
import { type SectionPlace, sectionAt, sections } from './sections.ts';

/** Returns sections of 700 px each, scrolled up by `scrolled`. */
const places = (scrolled: number): SectionPlace[] =>
  sections.map(({ id }, index) => ({ id, top: index * 700 - scrolled }));

describe('the section that is being read', () => {
  it('there are six', () => expect(sections).toHaveLength(6));

  it.each([
    [0, 'start'],
    [299, 'start'],
    [300, 'what-it-is'],
    [1_400, 'three-tools'],
    [3_600, 'begin'],
    [99_999, 'begin'],
    [-5_000, 'start'],
  ])('scrolled by %i px in a window of 800: %s', (scrolled, id) => {
    expect(sectionAt(places(scrolled), 800)).toBe(id);
  });
});
