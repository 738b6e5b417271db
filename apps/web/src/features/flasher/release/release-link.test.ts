import { describe, expect, it } from 'vitest';
import { releaseLink } from './release-link.ts';

const here = 'https://wirebench.example/esp_flasher.html';

describe('link of a release', () => {
  it.each([
    'https://wirebench.example/release.html?type=version&id=ottltAqAKuQpVJjwwSQxWw',
    ' /release.html?type=version&id=ottltAqAKuQpVJjwwSQxWw ',
    '?type=version&id=ottltAqAKuQpVJjwwSQxWw',
  ])('%s leads to the flasher', (text) => {
    expect(releaseLink(text, here)).toEqual({
      ok: true,
      address: '/esp_flasher.html?type=version&id=ottltAqAKuQpVJjwwSQxWw',
    });
  });

  it('keeps the channel of a project', () => {
    expect(releaseLink('https://wirebench.example/release.html?type=project&id=a&channel=beta', here)).toEqual({
      ok: true,
      address: '/esp_flasher.html?type=project&id=a&channel=beta',
    });
  });

  it.each([
    ['https://other.example/release.html?type=version&id=a'],
    ['https://firmware.example/manifest.json'],
    ['https://wirebench.example/files/manifest.json'],
    ['http://127.0.0.1:8000/flasher_args.json'],
  ])('%s is opened as a manifest', (link) => {
    const read = releaseLink(link, here);
    expect(read.ok && new URL(read.address, here).searchParams.get('manifest')).toBe(link);
  });

  it.each([
    ['', 'Paste the link of a release.'],
    ['https://wirebench.example/', 'not a release link'],
    ['javascript:alert(1)', 'not a link'],
    ['?type=firmware&id=a', 'not a release link'],
    ['?type=version&id=../../x', 'not a release link'],
  ])('%j is refused', (text, fault) => {
    expect(releaseLink(text, here)).toEqual({ ok: false, fault: expect.stringContaining(fault) });
  });
});
