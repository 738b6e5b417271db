import { expect, it } from 'vitest';
import { badgeMarkdown, flashElement, installButton } from './publish-ways.tsx';

it('a name cannot break out of its badge', () => {
  expect(badgeMarkdown('a](b)[c\\', 'https://x/badge.svg', 'https://x/release.html?type=project&id=1')).toBe(
    '[![a\\](b)\\[c\\\\](https://x/badge.svg)](https://x/release.html?type=project&id=1)',
  );
});

it('an address cannot break out of its attribute', () => {
  expect(installButton('https://x/a"b?c&d')).toBe(
    '<esp-web-install-button manifest="https://x/a&quot;b?c&amp;d"></esp-web-install-button>',
  );
});

it('the element and its script are two lines that a page can contain as they are', () => {
  expect(flashElement('https://x', 'https://x/release.html?type=project&id=1')).toBe(
    [
      '<script type="module" src="https://x/flash-button.js"></script>',
      '<wirebench-flash release="https://x/release.html?type=project&amp;id=1"></wirebench-flash>',
    ].join('\n'),
  );
});
