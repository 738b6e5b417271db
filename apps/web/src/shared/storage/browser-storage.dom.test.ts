import { afterEach, describe, expect, it, vi } from 'vitest';

/** Loads the module as on a fresh page with this `localStorage`. */
async function storageWhere(localStorage: () => Storage | null) {
  vi.resetModules();
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(localStorage as () => Storage);
  return (await import('./browser-storage.ts')).browserStorage;
}

describe('the browser storage', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [
      'refused',
      () => {
        throw new DOMException('denied', 'SecurityError');
      },
    ],
    ['switched off', () => null],
  ])('is a memory of the page where it is %s', async (_how, localStorage) => {
    const storage = await storageWhere(localStorage);
    expect(storage.getItem('key')).toBeNull();
    storage.setItem('key', 'text');
    expect(storage.getItem('key')).toBe('text');
    storage.removeItem('key');
    expect(storage.getItem('key')).toBeNull();
  });
});
