import { expect, it } from 'vitest';
import { AnswerGuard, loopText } from './answer-guard.ts';

const start = Date.UTC(2026, 0, 1);

it('allows five answers within a second, and refuses the sixth', () => {
  const guard = new AnswerGuard();
  expect([0, 200, 400, 600, 999].map((at) => guard.allows(start + at))).toEqual([true, true, true, true, true]);
  expect(guard.allows(start + 999)).toBe(false);
});

it('allows any number at five a second', () => {
  const guard = new AnswerGuard();
  expect(Array.from({ length: 500 }, (_, index) => guard.allows(start + index * 200)).every(Boolean)).toBe(true);
});

it('says which rule it was, and what to do', () => {
  expect(loopText('login')).toBe(
    'The rule "login" was switched off: it answered more than 5 times within a second, so its answer probably triggers it again. Change its condition before you switch it on.',
  );
});
