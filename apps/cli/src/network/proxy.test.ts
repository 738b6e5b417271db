import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy.ts';

const one = { HTTPS_PROXY: 'http://proxy.example:3128' };
const hostOf = (address: string, environment: Readonly<Record<string, string>>) =>
  proxyFor(address, environment)?.url.host ?? null;

describe('the proxy of an address', () => {
  it('is that of its scheme, and small letters win', () => {
    const all = { HTTPS_PROXY: 'http://a', https_proxy: 'http://b', HTTP_PROXY: 'http://c:1', ALL_PROXY: 'http://d' };
    expect(hostOf('https://bench.example/', all)).toBe('b');
    expect(hostOf('wss://bench.example/', all)).toBe('b');
    expect(hostOf('http://bench.example/', all)).toBe('c:1');
    expect(hostOf('http://bench.example/', { ...one, all_proxy: 'e' })).toBe('e');
    expect(hostOf('http://bench.example/', one)).toBe(null);
    expect(hostOf('https://bench.example/', { HTTPS_PROXY: ' ' })).toBe(null);
  });

  it('is refused with quotation marks around it, by the name of its variable and without its value', () => {
    const marked = { HTTPS_PROXY: '"http://me:secret@proxy.example:3128"' };
    const sentence =
      'HTTPS_PROXY has quotation marks around its value. They are part of it: docker run --env-file, for example, keeps them. Remove the marks. Set it as in http://proxy.example:3128.';
    expect(() => proxyFor('https://bench.example/', marked)).toThrow(sentence);
    expect(() => proxyFor('https://bench.example/', { ...one, NO_PROXY: "'*'" })).toThrow(
      /^NO_PROXY has quotation marks/,
    );
    expect(hostOf('http://bench.example/', marked)).toBe(null);
    expect(hostOf('https://bench.example/', { HTTPS_PROXY: '\u200bhttp://proxy.example:3128\r' })).toBe(
      'proxy.example:3128',
    );
  });

  // The rules of curl's manual ("NO_PROXY") and of Python's requests.
  it.each([
    ['*', true],
    ['bench.example', true],
    ['.example', true],
    ['*.example', true],
    ['ench.example', false],
    ['a.bench.example', false],
    ['BENCH.example', true],
    ['other.example, bench.example', true],
    ['bench.example:443', true],
    ['bench.example:8443', false],
    ['', false],
    [',', false],
  ])('is left out for bench.example by NO_PROXY=%s: %s', (list, isDirect) => {
    expect(hostOf('https://bench.example/', { ...one, NO_PROXY: list }) === null).toBe(isDirect);
  });

  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '2.3', false],
    ['[fd00::1]', 'fd00::/8', true],
    ['[::1]:8443', '::1', true],
    ['[::1]:8443', '[::1]:8443', true],
    ['[::1]:8443', '[::1]:443', false],
    ['10.1.2.3', '10.0.0.0/99', false],
  ])('is left out for %s by NO_PROXY=%s: %s', (host, list, isDirect) => {
    expect(hostOf(`https://${host}/`, { ...one, no_proxy: list }) === null).toBe(isDirect);
  });
});
