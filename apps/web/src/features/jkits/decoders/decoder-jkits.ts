/** Presents the decoders that this browser keeps to the JKit library: each is a panel. */
import type { Jkit } from '@wirebench/contract';
import { isOwnDecoder, type OwnDecoderId } from '../../../workbench/decoders/decoder-id.ts';
import {
  changeKept,
  type KeptDecoder,
  keepDecoder,
  keptDecoder,
  keptDecodersNow,
  removeKept,
  titleOf,
} from '../../../workbench/decoders/kept-decoders.ts';
import type { JkitPanel, LoadResult, PanelJkits } from '../jkit-panel.ts';
import type { LinkedPanels } from '../open-linked.ts';

export function decoderPanel({ id, text, loadedJkit, isStarred }: KeptDecoder): JkitPanel {
  return { id, type: 'decoder', name: titleOf(text), pinnedMessages: [], loadedJkit, isStarred };
}

const keptById = (id: string): KeptDecoder | null => (isOwnDecoder(id) ? keptDecoder(id) : null);

const keptOf = (jkitId: string) => keptDecodersNow().find(({ loadedJkit }) => loadedJkit?.['_id'] === jkitId);

function changeLoaded(jkitId: string, change: Partial<Omit<KeptDecoder, 'id'>>): void {
  for (const { id, loadedJkit } of keptDecodersNow()) {
    if (loadedJkit?.['_id'] === jkitId) {
      changeKept(id, change);
    }
  }
}

/** Loads a JKit in the place of a kept decoder, or as a new one. */
function load(panelId: string, { content, ...facts }: Jkit, isStarred: boolean): LoadResult {
  const before = keptById(panelId);
  const loaded = { savedText: content, loadedJkit: facts, isStarred };
  if (before !== null) {
    changeKept(before.id, { text: content, ...loaded });
    return { ok: true, warnings: [], undo: () => changeKept(before.id, before) };
  }
  const result = keepDecoder(content, loaded);
  return result.ok ? { ok: true, warnings: [], undo: () => void removeKept(result.id) } : result;
}

export const decoderJkits: PanelJkits = {
  contentOf: (id) => keptById(id)?.text ?? null,
  load,
  // `savedText` is the stored content, not the current text: the user may have typed during the save.
  attach: (panelId, { content, ...facts }) => {
    if (isOwnDecoder(panelId)) {
      changeKept(panelId, { loadedJkit: facts, savedText: content, isStarred: false });
    }
  },
  refresh: ({ content, ...facts }) => changeLoaded(facts._id, { loadedJkit: facts, savedText: content }),
  forget: (jkitId) => changeLoaded(jkitId, { loadedJkit: null, isStarred: false }),
  setStarred: (jkitId, isStarred) => changeLoaded(jkitId, { isStarred }),
};

/**
 * Returns the way of a decoder that the page's address names: it is kept and shown. No port gets it.
 *
 * @param show Shows a kept decoder.
 */
export function linkedDecoder(show: (id: OwnDecoderId) => void): LinkedPanels {
  return {
    type: 'decoder',
    load,
    placeFor: (jkitId) => {
      const kept = keptOf(jkitId);
      return kept === undefined
        ? { id: '', name: 'your decoders', loaded: false }
        : { id: kept.id, name: titleOf(kept.text), loaded: true };
    },
    show: (jkitId) => {
      const kept = keptOf(jkitId);
      if (kept !== undefined) {
        show(kept.id);
      }
    },
  };
}
