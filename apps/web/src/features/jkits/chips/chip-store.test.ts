import { afterEach, expect, it } from 'vitest';
import { chipStore, linkedChip, replaceDescription } from './chip-store.ts';

afterEach(() => chipStore.setState(chipStore.getInitialState(), true));

it('an address takes the place of what nobody has worked on, and of nothing else', () => {
  expect(linkedChip.placeFor('x')).toMatchObject({ loaded: false });
  replaceDescription('{"name":"BME280"}');
  expect(linkedChip.placeFor('x')).toMatchObject({ loaded: false });
  chipStore.setState(({ text }) => ({ text: `${text} ` }));
  expect(linkedChip.placeFor('x')).toBeNull();
  const before = chipStore.getState().text;
  const jkit = { content: '{}' } as Parameters<typeof linkedChip.load>[1];
  expect(linkedChip.load('', jkit, false)).toMatchObject({ ok: false });
  expect(chipStore.getState().text).toBe(before);
});
