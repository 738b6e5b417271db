import { describe, expect, it } from 'vitest';
import { counterText } from './feedback-form.tsx';

describe('feedback counter', () => {
  it.each([
    ['', '20 characters still needed'],
    ['   ', '20 characters still needed'],
    ['x'.repeat(19), '1 character still needed'],
    [` ${'x'.repeat(19)} `, '1 character still needed'],
    ['x'.repeat(20), '120 characters left'],
    ['x'.repeat(139), '1 character left'],
    ['x'.repeat(140), '0 characters left'],
  ])('shows for %j the text %j', (message, text) => {
    expect(counterText(message)).toBe(text);
  });
});
