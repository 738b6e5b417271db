import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHook, resetStores } from '../../shared/testing/stores.ts';
import { toasts } from '../../shared/testing/toasts.ts';
import { isOwnDecoder } from './decoder-id.ts';
import {
  changeKept,
  keepDecoder,
  keptDecoder,
  maxKept,
  removeKept,
  saveDecoderDraft,
  titleOf,
  useKeptDecoders,
} from './kept-decoders.ts';

const storageKey = 'wirebench.decoders';
const kept = () => readHook(() => useKeptDecoders());
const stored = () => JSON.parse(localStorage.getItem(storageKey) ?? '[]') as { id: string; text: string }[];
const motor = { name: 'motor', title: 'Motor', framing: { kind: 'cobs' } } as const;

const idOf = (result: ReturnType<typeof keepDecoder>) => {
  if (!result.ok) {
    throw new Error(result.reason);
  }
  return result.id;
};

afterEach(() => {
  vi.restoreAllMocks();
  for (const { id } of kept()) {
    removeKept(id);
  }
  resetStores();
});

describe('kept decoders', () => {
  it('are stored with each change, and brought back after a removal', () => {
    const id = idOf(keepDecoder('{"name":"a"}'));
    expect(isOwnDecoder(id)).toBe(true);
    changeKept(id, { text: '{"name":"b"}' });
    expect(stored()).toMatchObject([{ id, text: '{"name":"b"}', savedText: '{"name":"a"}' }]);
    const undo = removeKept(id);
    expect(stored()).toEqual([]);
    changeKept(id, { text: '{}' });
    expect(kept()).toEqual([]);
    undo();
    undo();
    expect(kept().map(({ text }) => text)).toEqual(['{"name":"b"}']);
  });

  it('keep those that another tab has added, and show them', () => {
    const id = idOf(keepDecoder('{"name":"mine"}'));
    const theirs = { id: 'own:theirs', text: '{"name":"theirs"}' };
    localStorage.setItem(storageKey, JSON.stringify([...stored(), theirs, { id: 'modbus', text: '{}' }, 7]));
    changeKept(id, { text: '{"name":"changed"}' });
    expect(stored().map(({ text }) => text)).toEqual(['{"name":"changed"}', '{"name":"theirs"}']);
    localStorage.setItem(storageKey, JSON.stringify([theirs]));
    window.dispatchEvent(new StorageEvent('storage', { key: storageKey }));
    expect(kept().map((one) => one.id)).toEqual(['own:theirs']);
  });

  it('stay in the page while the storage is full, with one message, and are written later', () => {
    const id = idOf(keepDecoder('{"name":"a"}'));
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    changeKept(id, { text: '{"name":"ab"}' });
    const other = idOf(keepDecoder('{"name":"c"}'));
    expect(kept().map(({ text }) => text)).toEqual(['{"name":"ab"}', '{"name":"c"}']);
    const { current, waiting } = toasts();
    const texts = [current, ...waiting].flatMap((message) => message?.text ?? []);
    expect(texts.filter((text) => text.startsWith('The decoders could not be saved'))).toHaveLength(1);
    full.mockRestore();
    changeKept(other, { text: '{"name":"cd"}' });
    expect(stored().map(({ text }) => text)).toEqual(['{"name":"ab"}', '{"name":"cd"}']);
  });

  it('are limited in number', () => {
    for (let number = 0; number < maxKept; number++) {
      expect(keepDecoder('{}').ok).toBe(true);
    }
    expect(keepDecoder('{}')).toMatchObject({ ok: false });
    expect(kept()).toHaveLength(maxKept);
  });

  it('include one built in the page only if it is right, under its title', async () => {
    const made = await saveDecoderDraft(motor, ' Pump drive ');
    const id = idOf(made);
    expect(titleOf(keptDecoder(id)?.text ?? '')).toBe('Pump drive');
    expect(await saveDecoderDraft(motor, 'Pump', id)).toEqual(made);
    expect(kept().map(({ text }) => titleOf(text))).toEqual(['Pump']);
    expect(await saveDecoderDraft({ ...motor, name: '7' }, 'Pump', id)).toEqual({
      ok: false,
      reason: 'Name must be letters, digits and _, beginning with a letter.',
    });
    expect(await saveDecoderDraft(motor, '')).toMatchObject({ ok: false });
    expect(kept()).toHaveLength(1);
  });
});
