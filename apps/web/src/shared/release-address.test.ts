import { expect, it } from 'vitest';
import { releaseAddress } from './release-address.ts';

it.each([
  ['?type=project&id=Ab-_9', { type: 'project', id: 'Ab-_9', owned: false, beta: false }],
  ['?id=x&type=version&owned=true&utm=1', { type: 'version', id: 'x', owned: true, beta: false }],
  ['?type=project&id=x&channel=beta', { type: 'project', id: 'x', owned: false, beta: true }],
  ['?type=project&id=x&channel=alpha', { type: 'project', id: 'x', owned: false, beta: false }],
  ['?type=version&id=x&owned=yes', { type: 'version', id: 'x', owned: false, beta: false }],
  ['?type=version&id=%20x%0A', { type: 'version', id: 'x', owned: false, beta: false }],
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
