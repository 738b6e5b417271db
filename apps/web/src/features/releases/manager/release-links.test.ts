import { expect, it } from 'vitest';
import { flasherPage, ownerPage, shareLink } from './release-links.ts';

const item = { _id: '0197', shareId: 'ottltAqAKuQpVJjwwSQxWw' };

it('a share link has a type and a share ID', () => {
  expect(shareLink('https://wirebench.example', 'version', 'a-b_c')).toBe(
    'https://wirebench.example/release.html?type=version&id=a-b_c',
  );
});

it('the owner opens what is private by its own id', () => {
  expect(ownerPage('project', item, false)).toBe('/release.html?type=project&id=0197&owned=true');
  expect(ownerPage('project', item, true)).toBe('/release.html?type=project&id=ottltAqAKuQpVJjwwSQxWw&owned=true');
});

it('each family has its flasher', () => {
  expect(flasherPage('esp', item, true)).toBe('/esp_flasher.html?type=version&id=ottltAqAKuQpVJjwwSQxWw');
  expect(flasherPage('stm', item, false)).toBe('/stm_flasher.html?type=version&id=0197&owned=true');
});
