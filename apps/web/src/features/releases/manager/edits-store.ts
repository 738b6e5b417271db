/**
 * Open edits of descriptions, for the lifetime of the page. Typed text outlives its row, which disappears if its
 * project or version is deleted in another tab. Stored by user, so that the next user never sees it.
 */
import { pageStore } from '../../../shared/page-store.ts';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import type { ItemType } from '../release-texts.ts';

export interface EditedItem {
  readonly type: ItemType;
  readonly id: string;
  /** `weather-node`, `version 1.4.0` */
  readonly what: string;
}

export interface DescriptionEdit extends EditedItem {
  readonly user: string;
  readonly open: boolean;
  /** The edited description. The server rejects a save if the stored one differs. */
  readonly before: string;
  readonly text: string;
  /** Text when editing was cancelled, for restoring it; null for none. */
  readonly dropped: string | null;
}

type Edits = Readonly<Record<string, DescriptionEdit>>;

const editsStore = pageStore<Edits>({});

const keyOf = (user: string, id: string) => `${id} ${user}`;

export interface EditHandle {
  /** Null without an open editor. */
  readonly edit: DescriptionEdit | null;
  readonly start: (description: string) => void;
  readonly change: (text: string) => void;
  /** Continues with `text` as a change of `description`, which was stored elsewhere during the edit. */
  readonly rebase: (description: string, text: string) => void;
  /** Closes the editor. The typed text can be restored. */
  readonly cancel: () => void;
  /** Opens the editor with the text from before it was cancelled. */
  readonly restore: () => void;
  /** Closes the editor after a save. */
  readonly done: () => void;
}

export function useDescriptionEdit(user: string, item: EditedItem): EditHandle {
  const key = keyOf(user, item.id);
  const edit = editsStore.use((edits) => edits[key] ?? null);
  const set = (change: Partial<DescriptionEdit>) =>
    editsStore.setState((edits) => {
      const known = edits[key] ?? { ...item, user, open: false, before: '', text: '', dropped: null };
      return { [key]: { ...known, ...change } };
    });
  const restore = () => {
    const known = editsStore.getState()[key];
    if (known?.dropped != null) {
      set({ open: true, text: known.dropped, dropped: null });
    }
  };
  return {
    edit: edit?.open === true ? edit : null,
    start: (description) => set({ open: true, before: description, text: description }),
    change: (text) => set({ text }),
    rebase: (before, text) => set({ before, text }),
    cancel: () => {
      const known = editsStore.getState()[key];
      if (known === undefined || known.text === known.before) {
        set({ open: false });
        return;
      }
      set({ open: false, dropped: known.text });
      offerUndo('Changes to the description discarded', restore);
    },
    restore,
    done: () => forgetEdit(user, item.id),
  };
}

/** Returns the open edits of `user`. */
export function useEdits(user: string): readonly DescriptionEdit[] {
  const edits = editsStore.use();
  return Object.values(edits).filter((edit) => edit.user === user && edit.open);
}

export function forgetEdit(user: string, id: string): void {
  editsStore.setState(
    (edits) => Object.fromEntries(Object.entries(edits).filter(([key]) => key !== keyOf(user, id))),
    true,
  );
}
