/**
 * State of the chip editor, presented to the JKit library as a panel. Saving, loading and starring therefore work as
 * for a device panel. Stored in the browser, so that a reload or sign-out does not lose it.
 */
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { pageStore } from '../../../shared/page-store.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import type { JkitPanel, PanelJkits } from '../jkit-panel.ts';
import type { LinkedPanels } from '../open-linked.ts';
import { descriptionKey, isWrittenElsewhere, takeStored, writeDescription } from './chip-storage.ts';
import { emptyDescription, readableDescription } from './readable-description.ts';

interface ChipState {
  readonly text: string;
  /** Text when last loaded or saved. Null: neither loaded nor saved yet. */
  readonly savedText: string | null;
  /** JKit that the description came from, without its content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
  /** True: another tab has stored another description. This tab stores nothing until the user chooses. */
  readonly isElsewhere: boolean;
}

const panelId = 'chip-editor';

const stored = () => {
  const { text, ...facts } = takeStored();
  return { ...facts, text: text ?? emptyDescription, isStarred: false, isElsewhere: false };
};

const chipStore = pageStore<ChipState>(stored());

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

/**
 * Replaces this tab's description by the other tab's.
 *
 * @returns Function that undoes that.
 */
export function takeElsewhere(): () => void {
  const before = chipStore.getState();
  chipStore.setState(stored());
  return () => chipStore.setState({ ...before, isElsewhere: false });
}

/** Replaces the other tab's description in the storage by this tab's. */
export function keepOwn(): void {
  takeStored();
  chipStore.setState({ isElsewhere: false });
  saving(() => writeDescription(chipStore.getState()));
}

export const useChipEditor = chipStore.use;

export function editDescription(text: string): void {
  chipStore.setState({ text });
}

/**
 * Replaces the description in the editor.
 *
 * @returns Function that restores the previous one.
 */
export function replaceDescription(text: string): () => void {
  const { text: before, savedText, loadedJkit, isStarred } = chipStore.getState();
  const readable = readableDescription(text);
  chipStore.setState({ text: readable, savedText: readable, loadedJkit: null, isStarred: false });
  return () => chipStore.setState({ text: before, savedText, loadedJkit, isStarred });
}

/** Returns the editor as a panel for the JKit library. */
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
  // `savedText` is the stored content, not the current text: the user may have typed during the save.
  attach: (_panel, { content, ...facts }) =>
    chipStore.setState({ loadedJkit: facts, savedText: content, isStarred: false }),
  refresh: ({ content, ...facts }) => changeLoaded(facts._id, { loadedJkit: facts, savedText: content }),
  forget: (id) => changeLoaded(id, { loadedJkit: null, isStarred: false }),
  setStarred: (id, isStarred) => changeLoaded(id, { isStarred }),
};

/** Loads a chip that the page's address names. */
export const linkedChip: LinkedPanels = {
  type: 'chip',
  load: (panel, jkit, isStarred) =>
    panel === panelId
      ? chipJkits.load(panel, jkit, isStarred)
      : {
          ok: false,
          reason: 'You have changed the description in the editor. Save it, or start from an empty one, and try again.',
        },
  // An address does not replace unsaved text.
  placeFor: (id) => {
    const state = chipStore.getState();
    const loaded = state.loadedJkit?.['_id'] === id;
    const isUntouched = state.text === emptyDescription || state.text === state.savedText;
    return loaded || isUntouched ? { id: panelId, name: chipPanel(state).name, loaded } : null;
  },
  // The editor is already visible, because it reads the address itself.
  show: () => undefined,
};
