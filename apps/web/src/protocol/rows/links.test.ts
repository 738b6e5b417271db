import { describe, expect, it } from 'vitest';
import { linkAt, linksIn } from './links.ts';

const found = (text: string) => linksIn(text).map(({ start, end }) => text.slice(start, end));

describe('links in a row', () => {
  it.each([
    ['open http://192.168.4.1/ now', ['http://192.168.4.1/']],
    [
      'see (https://example.com/a_(b)?c=1), or https://two.example.',
      ['https://example.com/a_(b)?c=1', 'https://two.example'],
    ],
    ['http://[fe80::1]:8080/x]', ['http://[fe80::1]:8080/x']],
    ['"HTTPS://EXAMPLE.COM/"', ['HTTPS://EXAMPLE.COM/']],
    ['url=https://a.example/x!?', ['https://a.example/x']],
    ['https://bücher.example/ü', ['https://bücher.example/ü']],
  ])('are found in %j: %j', (text, links) => {
    expect(found(text)).toEqual(links);
  });

  it.each([
    'javascript://alert(1)',
    'ftp://example.com',
    'xhttp://example.com',
    'https://',
    'http:// example',
    'file:///etc',
  ])('are not found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('have their whole address, as a browser opens it', () => {
    expect(linkAt('go to https://bücher.example/a b', 10)).toBe('https://xn--bcher-kva.example/a');
    expect(linkAt('go to https://example.com', 2)).toBeNull();
  });

  it('are found in hostile text with one look at each character', () => {
    const text = `${'http://a'.repeat(500)}${')'.repeat(4_000)}${'http://('.repeat(500)}`;
    expect(found(text)).toHaveLength(1);
  });
});
