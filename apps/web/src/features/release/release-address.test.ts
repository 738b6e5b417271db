import { expect, it } from 'vitest';
import { releaseAddress } from './release-address.ts';

it.each([
  ['?type=project&id=Ab-_9', { type: 'project', id: 'Ab-_9', owned: false }],
  ['?id=x&type=version&owned=true&utm=1', { type: 'version', id: 'x', owned: true }],
  ['?type=version&id=x&owned=yes', { type: 'version', id: 'x', owned: false }],
  ['?type=version&id=%20x%0A', { type: 'version', id: 'x', owned: false }],
])('%s names an item', (search, expected) => {
  expect(releaseAddress(search)).toEqual(expected);
});

it.each([
  '',
  '?type=project',
  '?id=x',
  '?type=file&id=x',
  '?type=project&id=',
  '?type=version&id=../x',
  `?type=version&id=${'x'.repeat(65)}`,
])('%s names none', (search) => {
  expect(releaseAddress(search)).toBeNull();
});
