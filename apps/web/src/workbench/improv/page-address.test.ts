import { describe, expect, it } from 'vitest';
import { pageAddress } from './page-address.ts';

describe('the address of a board', () => {
  it.each([
    ['http://192.168.1.40/', 'http://192.168.1.40/'],
    ['HTTPS://lamp.local', 'https://lamp.local/'],
    ['http://192.168.1.40:8080/setup?x=1', 'http://192.168.1.40:8080/setup?x=1'],
  ])('%s is a link', (text, href) => {
    expect(pageAddress(text)).toBe(href);
  });

  it.each([
    '',
    'javascript:alert(1)',
    'data:text/html,hi',
    '192.168.1.40',
    'http://',
    'http://a:b@host/',
    ' http://a/',
  ])('is null for %j', (text) => {
    expect(pageAddress(text)).toBeNull();
  });
});
