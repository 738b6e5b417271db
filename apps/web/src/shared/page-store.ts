/** Stores of a page, each with its hook. Code outside of React reads and changes them too. */
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface PageStore<State> extends StoreApi<State> {
  /** Returns the state, or the selected part. The component renders again when that has changed. */
  use<Part>(select: (state: State) => Part): Part;
  use(): State;
}

/** Creates a store whose state lasts until the document is closed, unless its owner stores it. */
export function pageStore<State>(initial: State): PageStore<State> {
  const store = createStore(() => initial);
  return { ...store, use: useStore.bind(null, store) as PageStore<State>['use'] };
}
