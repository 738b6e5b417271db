/** Access of component tests to stores, which product files keep to themselves. */
import { renderHook } from '@testing-library/react';
import type { StoreApi } from 'zustand/vanilla';

const resets: (() => void)[] = [];

/** Called by `register-stores.ts` for each store that a module creates. */
export function registerStore<State>(store: StoreApi<State>): void {
  resets.push(() => store.setState(store.getInitialState(), true));
}

/** Gives every store its initial state, as in a page that has just been opened. */
export function resetStores(): void {
  for (const reset of resets) {
    reset();
  }
}

/** Returns the current value of a hook. Must not be called inside of `act`, which delays rendering. */
export function readHook<Value>(hook: () => Value): Value {
  const { result, unmount } = renderHook(hook);
  unmount();
  return result.current;
}
