import { expect, it } from 'vitest';
import { keySequence, withControl } from './screen-keys.ts';

it.each([
  ['up', '\x1b[A', '\x1bOA'],
  ['home', '\x1b[H', '\x1bOH'],
  ['delete', '\x1b[3~', '\x1b[3~'],
  ['f1', '\x1bOP', '\x1bOP'],
  ['f12', '\x1b[24~', '\x1b[24~'],
] as const)('sends %s as xterm does, in normal and in application mode', (key, normal, application) => {
  expect(keySequence(key, false)).toBe(normal);
  expect(keySequence(key, true)).toBe(application);
});

it.each([
  ['c', '\x03'],
  ['C', '\x03'],
  ['[', '\x1b'],
  [' ', '\0'],
  ['?', '\x7f'],
  ['é', 'é'],
  ['ab', 'ab'],
  ['', ''],
])('makes of %j with Ctrl %j', (typed, control) => {
  expect(withControl(typed)).toBe(control);
});
