/** The jkit that the page's address asks for, and what became of it. Each is loaded once in the life of the page. */
import { createStore } from 'zustand/vanilla';

export interface LinkState {
  /** Null when no address asked for one. */
  readonly id: string | null;
  readonly busy: boolean;
  /** Why it is not in a panel; null when it is, and while it is on its way. */
  readonly failure: string | null;
}

export const linkStore = createStore<LinkState>(() => ({ id: null, busy: false, failure: null }));

export function dismissLink(): void {
  linkStore.setState({ busy: false, failure: null });
}
