/**
 * State of the JKit that the page's address names. Each is loaded once until the page is closed. The terminal and the
 * chip editor share a document but have separate states. A link of one is not shown or retried in the other.
 */
import type { Jkit } from '@wirebench/contract';
import { pageStore } from '../../shared/page-store.ts';

interface LinkState {
  /** Id of the JKit. Null: no address named one. */
  readonly id: string | null;
  readonly busy: boolean;
  /** Reason why it was not loaded. Null: it is loaded or loading. */
  readonly failure: string | null;
}

type LinkStates = { readonly [Type in Jkit['type']]: LinkState };

const none: LinkState = { id: null, busy: false, failure: null };

const linkStore = pageStore<LinkStates>({ uart: none, chip: none, decoder: none });

export function useLink(type: Jkit['type']): LinkState {
  return linkStore.use((states) => states[type]);
}

/** Returns true if an address has named this JKit last. */
export function isLinked(type: Jkit['type'], id: string): boolean {
  return linkStore.getState()[type].id === id;
}

export function setLink(type: Jkit['type'], change: Partial<LinkState>): void {
  linkStore.setState((states) => ({ [type]: { ...states[type], ...change } }));
}

export function dismissLink(type: Jkit['type']): void {
  setLink(type, { busy: false, failure: null });
}
