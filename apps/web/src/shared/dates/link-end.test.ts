import { expect, it } from 'vitest';
import { linkEndText } from './link-end.ts';

const at = new Date(2026, 10, 25, 14, 2);

it('names the moment in which a link ends, or has ended', () => {
  const end = at.toISOString();
  expect(linkEndText(undefined, 0)).toBe('It keeps working as long as the release is public.');
  expect(linkEndText(end, at.getTime() - 1)).toBe(
    'It works until 25 Nov 2026, 14:02, as long as the release is public.',
  );
  expect(linkEndText(end, at.getTime())).toBe('It expired 25 Nov 2026, 14:02: visitors see a page that says so.');
});
