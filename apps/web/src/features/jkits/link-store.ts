/**
 * The jkit that the page's address asks for, and what became of it. Each is loaded once in the life of the page. The terminal and the
 * editor of chips are in one document and have one link each: what one was asked for is not shown, or tried again, in the other.
 */
import type { Jkit } from '@wirebench/contract';
import { createStore } from 'zustand/vanilla';

interface LinkState {
  /** Null when no address asked for one. */
  readonly id: string | null;
  readonly busy: boolean;
  /** Why it is not in a panel; null when it is, and while it is on its way. */
  readonly failure: string | null;
}

type LinkStates = { readonly [Type in Jkit['type']]: LinkState };

const none: LinkState = { id: null, busy: false, failure: null };

export const linkStore = createStore<LinkStates>(() => ({ uart: none, chip: none }));

export function setLink(type: Jkit['type'], change: Partial<LinkState>): void {
  linkStore.setState((states) => ({ [type]: { ...states[type], ...change } }));
}

export function dismissLink(type: Jkit['type']): void {
  setLink(type, { busy: false, failure: null });
}
