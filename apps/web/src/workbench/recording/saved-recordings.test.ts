import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testStorage } from '../../shared/session/testing.ts';
import { type Locks, SavedRecordings } from './saved-recordings.ts';

const minute = 60_000;
const name = '2026-11-21-port-1.bin';

/** Simulates the locks of one browser and the tabs that hold them. */
class FakeBrowser {
  readonly files = new Set([name]);
  readonly storage = testStorage();
  #now = 1_000 * minute;
  readonly #held = new Map<string, object>();

  wait(minutes: number): void {
    this.#now += minutes * minute;
  }

  tab() {
    const tab = {};
    const request = async (lock: string, ...rest: unknown[]) => {
      const callback = rest.at(-1) as (lock: unknown) => unknown;
      if (this.#held.has(lock) && rest.length > 1) {
        return callback(null);
      }
      this.#held.set(lock, tab);
      try {
        return await callback({ name: lock });
      } finally {
        this.#held.delete(lock);
      }
    };
    const remove = vi.fn(async (file: string) => {
      if (!this.files.delete(file)) {
        throw new DOMException('There is no such file.', 'NotFoundError');
      }
    });
    const saved = new SavedRecordings({
      locks: () => ({ request }) as unknown as Locks,
      storage: this.storage,
      clock: { wallTime: () => this.#now },
      remove,
    });
    const close = () => {
      for (const [lock, holder] of this.#held) {
        if (holder === tab) {
          this.#held.delete(lock);
        }
      }
    };
    return { saved, close };
  }
}

describe('saved recordings', () => {
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
  });

  const savedIn = async ({ saved }: { saved: SavedRecordings }) => {
    expect(await saved.own(name)).toBe(true);
    await saved.saved(name);
  };

  it('a recording that was just saved outlives the next mount of the terminal', async () => {
    const tab = browser.tab();
    await savedIn(tab);
    browser.wait(60);
    await tab.saved.sweep();
    expect([...browser.files]).toEqual([name]);
    expect(tab.saved.has(name)).toBe(true);
  });

  it('a recording that another tab has saved stays for as long as that tab lives', async () => {
    const [one, other] = [browser.tab(), browser.tab()];
    await savedIn(one);
    browser.wait(60);
    await other.saved.sweep();
    expect([...browser.files]).toEqual([name]);
    one.close();
    await other.saved.sweep();
    expect([...browser.files]).toEqual([]);
    expect(other.saved.has(name)).toBe(false);
  });

  it('a reload right after saving does not take the file from under the download', async () => {
    const before = browser.tab();
    await savedIn(before);
    before.close();
    const after = browser.tab();
    await after.saved.sweep();
    expect([...browser.files]).toEqual([name]);
    expect(after.saved.has(name)).toBe(true);
    browser.wait(11);
    await after.saved.sweep();
    expect([...browser.files]).toEqual([]);
  });

  it('a strip that is out of date cannot delete what another tab is saving', async () => {
    const [one, other] = [browser.tab(), browser.tab()];
    await one.saved.own(name);
    expect(await other.saved.own(name)).toBe(false);
    expect(await other.saved.delete(name)).toBe(false);
    expect([...browser.files]).toEqual([name]);
  });

  it('the tab that has saved a recording can delete it', async () => {
    const tab = browser.tab();
    await savedIn(tab);
    expect(await tab.saved.delete(name)).toBe(true);
    expect([...browser.files]).toEqual([]);
    expect(tab.saved.has(name)).toBe(false);
  });

  it('an unsaved recording can be deleted', async () => {
    expect(await browser.tab().saved.delete(name)).toBe(true);
    expect([...browser.files]).toEqual([]);
  });

  it('a file that is gone already leaves the list', async () => {
    const before = browser.tab();
    await savedIn(before);
    before.close();
    browser.files.clear();
    browser.wait(11);
    const after = browser.tab();
    await after.saved.sweep();
    expect(after.saved.has(name)).toBe(false);
  });

  it('a file that an older version has saved is deleted', async () => {
    browser.storage.setItem('wirebench.saved-recordings', name);
    await browser.tab().saved.sweep();
    expect([...browser.files]).toEqual([]);
  });
});
