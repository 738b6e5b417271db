/** What of the library outlasts its closing, a failure and a sign-out: where one was, and what is being typed. */
import type { Jkit } from '@wirebench/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type LibraryTab = 'own' | 'starred' | 'explore';

export interface JkitDraft {
  readonly name: string;
  readonly description: string;
  /** As they are typed, with commas between. */
  readonly tags: string;
  readonly version: string;
  /** When the jkit was last saved that this was begun on; none for a new one, and for what shall replace another change. */
  readonly basedOn?: string | undefined;
}

export interface LibraryState {
  /** The panel whose library is open. */
  readonly openFor: string | null;
  /** The slot that was asked to be updated when it was opened. */
  readonly updating: string | null;
  readonly tab: LibraryTab;
  readonly query: string;
  /** By user and place: nobody sees what somebody else typed. */
  readonly drafts: Readonly<Record<string, JkitDraft>>;
}

export const libraryStore = createStore<LibraryState>(() => ({
  openFor: null,
  updating: null,
  tab: 'own',
  query: '',
  drafts: {},
}));

export function useLibrary<Part>(select: (state: LibraryState) => Part): Part {
  return useStore(libraryStore, select);
}

/** @param tab unless given, the one that was open last */
export function openLibrary(panelId: string, tab?: LibraryTab): void {
  libraryStore.setState({ openFor: panelId, updating: null, ...(tab !== undefined && { tab }) });
}

export function openUpdate(panelId: string, jkitId: string): void {
  libraryStore.setState({ openFor: panelId, updating: jkitId, tab: 'own' });
}

export function closeLibrary(): void {
  libraryStore.setState({ openFor: null, updating: null });
}

/**
 * Where a draft is kept. What is typed about jkits of one type is nothing to the library of the other.
 * @param place the jkit's id, or `new` and the panel's id
 */
export function draftKeyOf(user: string, type: Jkit['type'], place: string): string {
  return `${type === 'chip' ? 'chips of ' : ''}${user} ${place}`;
}

/** @param draft null when it was saved or given up. */
export function setDraft(key: string, draft: JkitDraft | null): void {
  libraryStore.setState(({ drafts }) => {
    const { [key]: _before, ...others } = drafts;
    return { drafts: draft === null ? others : { ...others, [key]: draft } };
  });
}
