/** A sign in the header that a page's code brings along: nothing of it is loaded before. */
import type { ComponentType } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const headerSign = createStore<{ readonly Sign: ComponentType | null }>(() => ({ Sign: null }));

export function useHeaderSign(): ComponentType | null {
  return useStore(headerSign, ({ Sign }) => Sign);
}

export function showHeaderSign(Sign: ComponentType): void {
  headerSign.setState({ Sign });
}
