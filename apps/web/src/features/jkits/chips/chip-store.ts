/**
 * The description that is being edited, as the panel of its library: saving, loading and starring work on it as they work on a
 * device panel of the terminal. Kept in the browser, so that neither a reload nor a sign-out loses it.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { fieldsOf, parseJson } from '../../../shared/json.ts';
import { browserStorage, isStorageFull } from '../../../shared/storage/browser-storage.ts';
import type { JkitPanel, PanelJkits } from '../jkit-panel.ts';
import type { LinkedPanels } from '../open-linked.ts';
import { emptyDescription, readableDescription } from './readable-description.ts';

interface ChipState {
  readonly text: string;
  /** As it was loaded or saved last; null: never. */
  readonly savedText: string | null;
  /** Where it came from, but for the content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
}

const panelId = 'chip-editor';
const storageKey = 'wirebench.chip-description';

export const chipStore = createStore<ChipState>(() => {
  const { text, savedText, loadedJkit } = fieldsOf(parseJson(browserStorage.getItem(storageKey) ?? ''));
  return {
    text: typeof text === 'string' ? text : emptyDescription,
    savedText: typeof savedText === 'string' ? savedText : null,
    loadedJkit: loadedJkit === undefined || loadedJkit === null ? null : fieldsOf(loadedJkit),
    isStarred: false,
  };
});

chipStore.subscribe(({ text, savedText, loadedJkit }, before) => {
  if (text === before.text && savedText === before.savedText && loadedJkit === before.loadedJkit) {
    return;
  }
  try {
    browserStorage.setItem(storageKey, JSON.stringify({ text, savedText, loadedJkit }));
  } catch (error) {
    // Without room it lasts as long as the page.
    if (!isStorageFull(error)) {
      throw error;
    }
  }
});

export function useChipEditor<Part>(select: (state: ChipState) => Part): Part {
  return useStore(chipStore, select);
}

/** Puts another description into the editor. @returns what puts the one before back */
export function replaceDescription(text: string): () => void {
  const { text: before, savedText, loadedJkit, isStarred } = chipStore.getState();
  const readable = readableDescription(text);
  chipStore.setState({ text: readable, savedText: readable, loadedJkit: null, isStarred: false });
  return () => chipStore.setState({ text: before, savedText, loadedJkit, isStarred });
}

/** The editor as its library sees it. */
export function chipPanel({ text, loadedJkit, isStarred }: ChipState): JkitPanel {
  const { name } = fieldsOf(parseJson(text));
  const shown = typeof name === 'string' && name.trim() !== '' ? name : 'the chip';
  return { id: panelId, type: 'chip', name: shown, pinnedMessages: [], loadedJkit, isStarred };
}

function changeLoaded(id: string, change: Partial<ChipState>): void {
  if (chipStore.getState().loadedJkit?.['_id'] === id) {
    chipStore.setState(change);
  }
}

export const chipJkits: PanelJkits = {
  contentOf: () => chipStore.getState().text,
  load: (_panel, { content, ...facts }, isStarred) => {
    const undo = replaceDescription(content);
    chipStore.setState({ loadedJkit: facts, isStarred });
    return { ok: true, warnings: [], undo };
  },
  // What was typed while it was being saved is not saved.
  attach: (_panel, { content, ...facts }) =>
    chipStore.setState({ loadedJkit: facts, savedText: content, isStarred: false }),
  refresh: ({ content, ...facts }) => changeLoaded(facts._id, { loadedJkit: facts, savedText: content }),
  forget: (id) => changeLoaded(id, { loadedJkit: null, isStarred: false }),
  setStarred: (id, isStarred) => changeLoaded(id, { isStarred }),
};

/** For an address that names a chip. */
export const linkedChip: LinkedPanels = {
  type: 'chip',
  load: (panel, jkit, isStarred) =>
    panel === panelId
      ? chipJkits.load(panel, jkit, isStarred)
      : {
          ok: false,
          reason: 'You have changed the description in the editor. Save it, or start from an empty one, and try again.',
        },
  // What somebody has typed is not replaced by an address.
  placeFor: (id) => {
    const state = chipStore.getState();
    const loaded = state.loadedJkit?.['_id'] === id;
    const isUntouched = state.text === emptyDescription || state.text === state.savedText;
    return loaded || isUntouched ? { id: panelId, name: chipPanel(state).name, loaded } : null;
  },
  // It is on the screen: the address is looked at by the editor itself.
  show: () => undefined,
};
