import { describe, expect, it } from 'vitest';
import { families, familyIds } from './families.ts';
import { releasePage } from './pages.ts';
import { releaseOfPage } from './release-address.ts';
import { flasherPath, releaseOfQuery, releasePath } from './release-links.ts';

const pages = [releasePage, ...familyIds.map((family) => families[family].page)];

describe('release queries', () => {
  it.each([
    ['?type=project&id=Ab-_9', { type: 'project', id: 'Ab-_9', owned: false, beta: false }],
    ['type=project&id=x', { type: 'project', id: 'x', owned: false, beta: false }],
    ['?id=x&type=version&owned=true&utm=1', { type: 'version', id: 'x', owned: true, beta: false }],
    ['?type=project&id=x&channel=beta', { type: 'project', id: 'x', owned: false, beta: true }],
    ['?type=project&id=x&channel=alpha', { type: 'project', id: 'x', owned: false, beta: false }],
    ['?type=version&id=x&owned=yes', { type: 'version', id: 'x', owned: false, beta: false }],
    ['?type=version&id=%20x%0A', { type: 'version', id: 'x', owned: false, beta: false }],
  ])('%s names a release', (search, expected) => {
    expect(releaseOfQuery(search)).toEqual(expected);
  });

  it.each([
    '',
    '?type=project',
    '?id=x',
    '?type=file&id=x',
    '?type=project&id=',
    '?type=version&id=../x',
    `?type=version&id=${'x'.repeat(65)}`,
  ])('%s names no release', (search) => {
    expect(releaseOfQuery(search)).toBeNull();
  });
});

describe('release pages', () => {
  it.each(pages)('%s shows the release of its query, on any server and without its ending', (page) => {
    const release = { type: 'version', id: 'Ab-_9', owned: false, beta: false };
    for (const place of ['', '/tools']) {
      for (const path of [page, page.replace('.html', '')]) {
        const url = new URL(`https://bench.example${place}${path}?type=version&id=Ab-_9#top`);
        expect(releaseOfPage(url), url.href).toEqual(release);
      }
    }
  });

  it.each(pages)('%s shows no release without a query', (page) => {
    expect(releaseOfPage(new URL(page, 'https://bench.example'))).toBeNull();
  });

  it.each(['/', '/page.html', '/xesp_flasher.html', '/esp_flasher.html/x', '/esp_flasher.htm', '/release.html.html'])(
    '%s is the page of something else',
    (path) => {
      expect(releaseOfPage(new URL(`https://bench.example${path}?type=version&id=x`))).toBeNull();
    },
  );

  it.each(familyIds)('links to the flasher of %s are read back', (family) => {
    const url = new URL(flasherPath(family, 'project', 'a b'), 'https://bench.example');
    expect(url.pathname).toBe(`/${family}_flasher.html`);
    expect(url.searchParams.get('id')).toBe('a b');
    expect(releaseOfPage(new URL(flasherPath(family, 'project', 'ab'), url))).toMatchObject({ id: 'ab' });
  });

  it('share links are read back', () => {
    const url = new URL(releasePath('version', 'Ab-_9'), 'https://bench.example');
    expect(releaseOfPage(url)).toMatchObject({ type: 'version', id: 'Ab-_9' });
  });
});
