/** Access of component tests to stores, which product files keep to themselves. */
import { renderHook } from '@testing-library/react';
import type { StoreApi } from 'zustand/vanilla';

const stores: StoreApi<unknown>[] = [];

/** Called by `register-stores.ts` for each store that a module creates. */
export function registerStore<State>(store: StoreApi<State>): void {
  stores.push(store as StoreApi<unknown>);
}

/** Gives every store its initial state, as in a page that has just been opened. */
export function resetStores(): void {
  for (const store of stores) {
    store.setState(store.getInitialState(), true);
  }
}

/**
 * Changes the only store whose state has these keys.
 *
 * @throws Error unless exactly one of the loaded stores has them.
 */
export function changeStore(change: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(change);
  const found = stores.filter((store) => keys.every((key) => key in Object(store.getState())));
  if (found.length !== 1) {
    throw new Error(`${found.length} stores have ${keys.join(', ')}`);
  }
  found[0]?.setState(change);
}

/** Returns the current value of a hook. Must not be called inside of `act`, which delays rendering. */
export function readHook<Value>(hook: () => Value): Value {
  const { result, unmount } = renderHook(hook);
  unmount();
  return result.current;
}
