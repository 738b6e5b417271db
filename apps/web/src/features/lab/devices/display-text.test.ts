import { expect, it } from 'vitest';
import { wrapped } from './display-text.tsx';

const fits = (line: string) => line.length <= 8;

it('breaks lines between words, and inside of a word that is too long', () => {
  expect(wrapped('Hello from Wirebench\nok', fits)).toEqual(['Hello', 'from', 'Wirebenc', 'h', 'ok']);
  expect(wrapped('', fits)).toEqual(['']);
});
