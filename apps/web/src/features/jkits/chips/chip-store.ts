/**
 * The description that is being edited, as the panel of its library: saving, loading and starring work on it as they work on a
 * device panel of the terminal. Kept in the browser, so that neither a reload nor a sign-out loses it.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { fieldsOf, parseJson } from '../../../shared/json.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import type { JkitPanel, PanelJkits } from '../jkit-panel.ts';
import type { LinkedPanels } from '../open-linked.ts';
import { descriptionKey, isWrittenElsewhere, takeStored, writeDescription } from './chip-storage.ts';
import { emptyDescription, readableDescription } from './readable-description.ts';

interface ChipState {
  readonly text: string;
  /** As it was loaded or saved last; null: never. */
  readonly savedText: string | null;
  /** Where it came from, but for the content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
  /** Another tab has written its own: nothing of this tab is kept until a person has chosen. */
  readonly isElsewhere: boolean;
}

const panelId = 'chip-editor';

const stored = () => {
  const { text, ...facts } = takeStored();
  return { ...facts, text: text ?? emptyDescription, isStarred: false, isElsewhere: false };
};

export const chipStore = createStore<ChipState>(stored);

const saving = savingOf({ what: 'The description' });

chipStore.subscribe((state, before) => {
  const { text, savedText, loadedJkit } = state;
  if (text !== before.text || savedText !== before.savedText || loadedJkit !== before.loadedJkit) {
    keep(state);
  }
});

window.addEventListener('storage', ({ key }) => {
  if ((key === descriptionKey || key === null) && isWrittenElsewhere()) {
    chipStore.setState({ isElsewhere: true });
  }
});

function keep(state: ChipState): void {
  if (isWrittenElsewhere()) {
    chipStore.setState({ isElsewhere: true });
    return;
  }
  saving(() => writeDescription(state));
}

/** What the other tab has written takes the place of this tab's. @returns what puts that back */
export function takeElsewhere(): () => void {
  const before = chipStore.getState();
  chipStore.setState(stored());
  return () => chipStore.setState({ ...before, isElsewhere: false });
}

/** This tab's takes the place of what the other one has written. */
export function keepOwn(): void {
  takeStored();
  chipStore.setState({ isElsewhere: false });
  saving(() => writeDescription(chipStore.getState()));
}

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
