import { describe, expect, it, vi } from 'vitest';
import { SessionStore } from './session-store.ts';
import { testSession, testStorage } from './testing.ts';

const KEY = 'wirebench.session';

describe('session store', () => {
  it('finds the session that another page saved', () => {
    const storage = testStorage();
    new SessionStore(storage, new EventTarget()).save(testSession());
    expect(new SessionStore(storage, new EventTarget()).current()).toEqual(testSession());
  });

  it.each(['', '{', 'null', '[]', '{"accessToken":1}', '{"accessToken":"a","user":null}'])(
    'takes %j for no session',
    (text) => {
      const storage = testStorage();
      storage.setItem(KEY, text);
      expect(new SessionStore(storage, new EventTarget()).current()).toBeNull();
    },
  );

  it.each([KEY, null])('hears of a sign-out in another tab (event key %s)', (key) => {
    const storage = testStorage();
    const events = new EventTarget();
    const store = new SessionStore(storage, events);
    store.save(testSession());
    const listener = vi.fn();
    store.subscribe(listener);
    storage.items.clear();
    events.dispatchEvent(new StorageEvent('storage', { key }));
    expect(store.current()).toBeNull();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('says that a session ended by itself in another tab, but not that one was signed out there', () => {
    const storage = testStorage();
    const events = new EventTarget();
    const here = new SessionStore(storage, events);
    const there = new SessionStore(storage, new EventTarget());
    const said: string[] = [];
    here.onEnd((text) => said.push(text));
    const storageChanged = () => events.dispatchEvent(new StorageEvent('storage', { key: KEY }));
    there.save(testSession());
    storageChanged();
    there.forget();
    storageChanged();
    expect(said).toEqual([]);
    there.save(testSession());
    storageChanged();
    there.end('Session expired.');
    storageChanged();
    storageChanged();
    expect(said).toEqual(['Session expired. Please refresh the page to re-authenticate.']);
  });

  it('does not stir for what else other tabs store', () => {
    const events = new EventTarget();
    const store = new SessionStore(testStorage(), events);
    const listener = vi.fn();
    store.subscribe(listener);
    events.dispatchEvent(new StorageEvent('storage', { key: 'wirebench.theme' }));
    expect(listener).not.toHaveBeenCalled();
  });

  it('expects a session that ended by itself to be found again, but not one that was signed out', () => {
    const store = new SessionStore(testStorage(), new EventTarget());
    expect(store.expected).toBe(false);
    store.save(testSession());
    expect(store.expected).toBe(false);
    store.clear();
    expect(store.expected).toBe(true);
    store.forget();
    expect(store.expected).toBe(false);
  });
});
