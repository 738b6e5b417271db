import { expect, it } from 'vitest';
import { GuestNames } from './share-worker.ts';

it('pages of one browser are one guest by name, once the browser has said so', () => {
  const names = new GuestNames();
  expect(names.nameOf({ id: 'a', name: 'Lea', person: 'x' })).toBe('Lea');
  expect(names.nameOf({ id: 'b', name: 'Lea', person: null })).toBe('Lea (2)');
  expect(names.nameOf({ id: 'b', name: 'Lea', person: 'x' })).toBe('Lea');
  expect(names.nameOf({ id: 'c', name: 'Lea', person: 'y' })).toBe('Lea (2)');
  expect(names.nameOf({ id: 'd', name: 'Lea' })).toBe('Lea (3)');
});
