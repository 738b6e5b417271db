import { afterEach, describe, expect, it } from 'vitest';
import { pageOf } from './bench-start.ts';

/** Returns the page of a click on a link. */
function clicked(attributes: Record<string, string>, init: MouseEventInit = {}): string | null {
  const link = document.createElement('a');
  for (const [name, value] of Object.entries(attributes)) {
    link.setAttribute(name, value);
  }
  const word = document.createElement('b');
  link.append(word);
  document.body.append(link);
  let page: string | null = null;
  const listen = (event: MouseEvent) => {
    page = pageOf(event);
    event.preventDefault();
  };
  document.addEventListener('click', listen, { once: true });
  word.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  return page;
}

describe('a click on a link', () => {
  afterEach(() => document.body.replaceChildren());

  it('opens a page of the app or a flasher within the document', () => {
    expect(clicked({ href: '/app/uart' })).toBe('/app/uart');
    expect(clicked({ href: '/esp_flasher.html?type=version&id=abc' })).toBe('/esp_flasher.html?type=version&id=abc');
    expect(clicked({ href: '/', target: '_self' })).toBe('/');
  });

  it.each([
    ['to another document', { href: '/esp32_bench.html' }],
    ['to a release', { href: '/release.html?type=version&id=abc' }],
    ['to another site', { href: 'https://example.org/app/uart' }],
    ['to a place within a page', { href: '/app/esp-flasher/docs#driver' }],
    ['that opens a tab', { href: '/app/uart', target: '_blank' }],
    ['that saves a file', { href: '/app/uart', download: '' }],
  ])('%s is left to the browser', (_, attributes) => {
    expect(clicked(attributes)).toBeNull();
  });

  it('with a modifier key or another button is left to the browser', () => {
    expect(clicked({ href: '/app/uart' }, { ctrlKey: true })).toBeNull();
    expect(clicked({ href: '/app/uart' }, { metaKey: true })).toBeNull();
    expect(clicked({ href: '/app/uart' }, { shiftKey: true })).toBeNull();
    expect(clicked({ href: '/app/uart' }, { button: 1 })).toBeNull();
  });
});
