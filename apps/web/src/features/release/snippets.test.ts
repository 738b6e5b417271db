import { expect, it } from 'vitest';
import { badgeMarkdown, installButton } from './snippets.ts';

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
