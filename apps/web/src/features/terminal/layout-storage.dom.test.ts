import { afterEach, describe, expect, it, vi } from 'vitest';
import { layoutStorage } from './layout-storage.ts';

describe('the sizes of panes', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    localStorage.clear();
  });

  it('are restored as they were stored', () => {
    layoutStorage.setItem('panes', '{"settings":15,"console":60.5,"panels":24.5}');
    expect(layoutStorage.getItem('panes')).toBe('{"settings":15,"console":60.5,"panels":24.5}');
    expect(layoutStorage.getItem('others')).toBeNull();
  });

  it('are null if the stored text is invalid', () => {
    for (const text of ['', '{', 'null', '7', '[50,50]', '{}', '{"a":"50"}', '{"a":-1,"b":101}', '{"a":null}']) {
      localStorage.setItem('panes', text);
      expect(layoutStorage.getItem('panes')).toBeNull();
    }
  });

  it('are not stored if the storage is full', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(() => layoutStorage.setItem('panes', '{"a":100}')).not.toThrow();
  });
});
