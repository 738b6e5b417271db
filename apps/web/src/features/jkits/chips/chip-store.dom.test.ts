import { afterEach, expect, it, vi } from 'vitest';
import { readHook, resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { descriptionKey, storedDescription } from './chip-storage.ts';
import {
  editDescription,
  keepOwn,
  linkedChip,
  replaceDescription,
  takeElsewhere,
  useChipEditor,
} from './chip-store.ts';

afterEach(() => {
  vi.restoreAllMocks();
  keepOwn();
  resetStores();
});

const editor = () => readHook(() => useChipEditor((state) => state));
const type = (text: string) => editDescription(text);
const otherTab = (text: string) => localStorage.setItem(descriptionKey, JSON.stringify({ text }));

it('a linked jkit replaces only an unedited description', () => {
  expect(linkedChip.placeFor('x')).toMatchObject({ loaded: false });
  replaceDescription('{"name":"BME280"}');
  expect(linkedChip.placeFor('x')).toMatchObject({ loaded: false });
  type(`${editor().text} `);
  expect(linkedChip.placeFor('x')).toBeNull();
  const before = editor().text;
  const jkit = { content: '{}' } as Parameters<typeof linkedChip.load>[1];
  expect(linkedChip.load('', jkit, false)).toMatchObject({ ok: false });
  expect(editor().text).toBe(before);
});

it('an edit in a second tab is reported and can be taken over or overwritten', () => {
  type('{"name":"Mine"}');
  expect(storedDescription().text).toBe('{"name":"Mine"}');
  otherTab('{"name":"Theirs"}');
  type('{"name":"Mine, changed"}');
  expect(editor()).toMatchObject({ isElsewhere: true, text: '{"name":"Mine, changed"}' });
  expect(storedDescription().text).toBe('{"name":"Theirs"}');
  const undo = takeElsewhere();
  expect(editor()).toMatchObject({ isElsewhere: false, text: '{"name":"Theirs"}' });
  undo();
  expect(storedDescription().text).toBe('{"name":"Mine, changed"}');
  otherTab('{"name":"Theirs again"}');
  window.dispatchEvent(new StorageEvent('storage', { key: descriptionKey }));
  expect(editor().isElsewhere).toBe(true);
  keepOwn();
  expect(storedDescription().text).toBe('{"name":"Mine, changed"}');
});

it('a full storage is reported once, and the text stays in the editor', () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  type('{"name":"A"}');
  type('{"name":"AB"}');
  expect(editor().text).toBe('{"name":"AB"}');
  const { current, waiting } = toasts();
  const texts = [current, ...waiting].flatMap((message) => message?.text ?? []);
  expect(texts.filter((text) => text.startsWith('The description could not be saved'))).toHaveLength(1);
  full.mockRestore();
  type('{"name":"ABC"}');
  expect(storedDescription().text).toBe('{"name":"ABC"}');
});
