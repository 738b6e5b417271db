import { describe, expect, it } from 'vitest';
import { browserName, isRunFailure } from './run-failure.ts';

describe('a failed import()', () => {
  it.each([
    ['Chromium', new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/a.js')],
    ['Firefox', new TypeError('error loading dynamically imported module: http://localhost/assets/a.js')],
    ['Safari', new TypeError('Importing a module script failed.')],
    ['Vite', new Error('Unable to preload CSS for /assets/a.css')],
  ])('is not a run failure if %s reports missing code', (_browser, error) => {
    expect(isRunFailure(error)).toBe(false);
  });

  it.each([
    [new SyntaxError("Unexpected token '{'")],
    [new TypeError('Promise.withResolvers is not a function')],
    [new ReferenceError('x is not defined')],
  ])('is a run failure if the code failed: %s', (error) => {
    expect(isRunFailure(error)).toBe(true);
  });
});

describe('the name of a browser', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/92.0.4512.0 Safari/537.36',
      'Chrome 92',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0 Safari/537.36 Edg/109.0',
      'Edge 109',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0', 'Firefox 115'],
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Safari/605.1.15', 'Safari 15'],
    ['curl/8', null],
  ])('is read from %s', (agent, name) => {
    expect(browserName(agent)).toBe(name);
  });
});
