import { describe, expect, it } from 'vitest';
import { RemoteError } from './remote-failure.ts';
import { webCrypto } from './sealing/sealing-crypto.ts';
import { makeSecret } from './sealing/secret.ts';
import { formatShareLink, parseShareLink } from './share-link.ts';

const link = { origin: 'https://bench.example', room: 'b3BlbnNlc2FtZW9wZW5zZQ', secret: makeSecret(webCrypto) };

function failureOf(text: string): string {
  try {
    parseShareLink(text);
  } catch (error) {
    return error instanceof RemoteError ? error.code : String(error);
  }
  return 'none';
}

describe('the link of a shared bench', () => {
  it('has the secret in its fragment alone', () => {
    const url = new URL(formatShareLink(link));
    expect(url.hash).toBe(`#${link.secret}`);
    expect(url.href.replace(url.hash, '')).not.toContain(link.secret);
    expect(parseShareLink(url.href)).toEqual(link);
  });

  it('is read as people paste it', () => {
    const text = formatShareLink({ ...link, origin: 'http://127.0.0.1:8080' });
    for (const pasted of [`  ${text}\n`, `<${text}>`]) {
      expect(parseShareLink(pasted)).toEqual({ ...link, origin: 'http://127.0.0.1:8080' });
    }
  });

  it.each(['.', ',', '>', '%3E', ')', '!', '"', '%E2%80%9D', '\u200B', '&utm_source=mail', '=', ' and so on'])(
    'is read with what a text or a mail program has put behind it: %j',
    (behind) => {
      expect(parseShareLink(`${formatShareLink(link)}${behind}`)).toEqual(link);
    },
  );

  it.each(['A', '-', '_', '0.'])('has no key that is longer: %j', (behind) => {
    expect(failureOf(`${formatShareLink(link)}${behind}`)).toBe('wrong-key');
  });

  it.each([
    ['by a mail program', (text: string) => text.replace('#', '%23')],
    ['twice', (text: string) => text.replace('#', '%2523')],
    ['as a whole', (text: string) => encodeURIComponent(text)],
    ['from its query on', (text: string) => text.replace('?', '%3F').replace('=', '%3D').replace('#', '%23')],
    ['as HTML', (text: string) => text.replace('#', '&#35;')],
    ['with a sentence behind it', (text: string) => `${text.replace('#', '%23')}. 100 %`],
  ])('is read when it was escaped %s', (_, escaped) => {
    expect(parseShareLink(escaped(formatShareLink(link)))).toEqual(link);
  });

  it('says that an escaped link has lost its key', () => {
    expect(failureOf(formatShareLink({ ...link, secret: '' }).replace('#', '%23'))).toBe('wrong-key');
    expect(failureOf(formatShareLink(link).replace('#', '%23').slice(0, -1))).toBe('wrong-key');
  });

  it.each(['', 'live.html', 'https://bench.example/', 'https://bench.example/release.html?id=b3BlbnNlc2FtZW9wZW5zZQ'])(
    'is not recognised in other text: %j',
    (text) => {
      expect(failureOf(text)).toBe('no-link');
    },
  );

  it('is invalid with a room that no server would make', () => {
    expect(failureOf(`javascript:alert(1)//live.html?id=${link.room}#${link.secret}`)).toBe('no-link');
    expect(failureOf(`https://bench.example/live.html?id=../../admin#${link.secret}`)).toBe('no-link');
    expect(failureOf(`https://bench.example/live.html?id=${link.room}%2F..%23${link.secret}`)).toBe('no-link');
  });

  it('reports a key that was cut off', () => {
    const text = formatShareLink(link);
    expect(failureOf(text.split('#')[0] ?? '')).toBe('wrong-key');
    expect(failureOf(text.slice(0, -1))).toBe('wrong-key');
  });
});
