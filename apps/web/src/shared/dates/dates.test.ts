import { expect, it } from 'vitest';
import { dayText, exactText, momentText } from './dates.ts';

const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();
const now = new Date(2026, 10, 1, 18, 0).getTime();

it.each([
  [at(2026, 10, 1, 14, 2), 'today 14:02'],
  [at(2026, 9, 31, 9, 30), 'yesterday 09:30'],
  [at(2026, 9, 30, 23, 59), '30 Oct 2026'],
  [at(2025, 10, 1, 14, 2), '1 Nov 2025'],
])('%s is shown as %s', (moment, text) => {
  expect(momentText(moment, now)).toBe(text);
});

it('days and exact moments are shown with their year', () => {
  expect(dayText(at(2026, 10, 18, 14, 2))).toBe('18 Nov 2026');
  expect(exactText(at(2026, 10, 18, 14, 2))).toBe('18 Nov 2026, 14:02');
});
