/** State of the library that survives closing it, failures and sign-out: open panel, tab, query and drafts. */
import type { Jkit } from '@wirebench/contract';
import { pageStore } from '../../shared/page-store.ts';

export type LibraryTab = 'own' | 'starred' | 'explore';

export interface JkitDraft {
  readonly name: string;
  readonly description: string;
  /** Tags as typed, separated by commas. */
  readonly tags: string;
  readonly version: string;
  /**
   * Time of the JKit's last change when the draft was started. Undefined for a new JKit, and for a draft that
   * overwrites another change.
   */
  readonly basedOn?: string | undefined;
}

interface LibraryState {
  /** Id of the panel whose library is open, or null. */
  readonly openFor: string | null;
  /** Id of the JKit whose update form opens with the library, or null. */
  readonly updating: string | null;
  readonly tab: LibraryTab;
  readonly query: string;
  /** Drafts by user and place, so that users do not see each other's drafts. */
  readonly drafts: Readonly<Record<string, JkitDraft>>;
}

const libraryStore = pageStore<LibraryState>({
  openFor: null,
  updating: null,
  tab: 'own',
  query: '',
  drafts: {},
});

export const useLibrary = libraryStore.use;

/** @param tab Tab to show. Default: the last open tab. */
export function openLibrary(panelId: string, tab?: LibraryTab): void {
  libraryStore.setState({ openFor: panelId, updating: null, ...(tab !== undefined && { tab }) });
}

export function openUpdate(panelId: string, jkitId: string): void {
  libraryStore.setState({ openFor: panelId, updating: jkitId, tab: 'own' });
}

export function closeLibrary(): void {
  libraryStore.setState({ openFor: null, updating: null });
}

const draftPlaces = { uart: '', chip: 'chips of ', decoder: 'decoders of ' } satisfies Record<Jkit['type'], string>;

/**
 * Returns the key of a draft. Drafts for JKits of different types have different keys.
 *
 * @param place Id of the JKit, or `new` and the panel's id.
 */
export function draftKeyOf(user: string, type: Jkit['type'], place: string): string {
  return `${draftPlaces[type]}${user} ${place}`;
}

/** @param draft Null deletes the draft, after it was saved or discarded. */
export function setDraft(key: string, draft: JkitDraft | null): void {
  libraryStore.setState(({ drafts }) => {
    const { [key]: _before, ...others } = drafts;
    return { drafts: draft === null ? others : { ...others, [key]: draft } };
  });
}

export function showLibraryTab(tab: LibraryTab): void {
  libraryStore.setState({ tab });
}

export function searchLibrary(query: string): void {
  libraryStore.setState({ query });
}
