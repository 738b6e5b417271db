/**
 * Unsent input of forms, for the lifetime of the page. It survives a session that ends during typing, and a visit to
 * another page. Stored by user, so that the next user never sees it.
 */
import type { FamilyId } from '@wirebench/boards';
import { pageStore } from '../../../shared/page-store.ts';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import { emptyDraft, type VersionDraft } from './version-draft.ts';

export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly deviceFamily: FamilyId;
  /** Empty: no model was chosen. */
  readonly deviceModel: string;
}

const emptyProjectDraft: ProjectDraft = { name: '', description: '', deviceFamily: 'esp', deviceModel: '' };

/** A form, open or closed, and its content. */
interface DraftForm<Draft> {
  readonly open: boolean;
  readonly draft: Draft;
  /** Content of the form when it was cancelled, for restoring it; null for none. */
  readonly dropped: Draft | null;
}

const closedProject: DraftForm<ProjectDraft> = { open: false, draft: emptyProjectDraft, dropped: null };
const closedVersion: DraftForm<VersionDraft> = { open: false, draft: emptyDraft, dropped: null };

interface Drafts {
  readonly project: Readonly<Record<string, DraftForm<ProjectDraft>>>;
  /** By user and project. */
  readonly version: Readonly<Record<string, DraftForm<VersionDraft>>>;
}

const draftsStore = pageStore<Drafts>({ project: {}, version: {} });

type Change<Draft> = (form: DraftForm<Draft>) => DraftForm<Draft>;

export interface DraftHandle<Draft> extends DraftForm<Draft> {
  /** True: nothing was typed or chosen. */
  readonly isEmpty: boolean;
  /** Opens or closes the form. Its content stays. */
  readonly setOpen: (open: boolean) => void;
  readonly change: (change: (draft: Draft) => Draft) => void;
  /** Closes the form and empties it. Its content can be restored. @param done Message about it. */
  readonly cancel: (done: string) => void;
  /** Opens the form with its content from before it was cancelled. */
  readonly restore: () => void;
  /** Closes the form and discards its content. */
  readonly discard: () => void;
}

export function useProjectDraft(user: string): DraftHandle<ProjectDraft> {
  const form = draftsStore.use(({ project }) => project[user] ?? closedProject);
  const set = (change: Change<ProjectDraft>) =>
    draftsStore.setState(({ project }) => ({
      project: { ...project, [user]: change(project[user] ?? closedProject) },
    }));
  return handle(form, set, closedProject);
}

export function useVersionDraft(user: string, projectId: string): DraftHandle<VersionDraft> {
  const key = `${projectId} ${user}`;
  const form = draftsStore.use(({ version }) => version[key] ?? closedVersion);
  const set = (change: Change<VersionDraft>) =>
    draftsStore.setState(({ version }) => ({ version: { ...version, [key]: change(version[key] ?? closedVersion) } }));
  return handle(form, set, closedVersion);
}

function handle<Draft>(
  form: DraftForm<Draft>,
  set: (change: Change<Draft>) => void,
  closed: DraftForm<Draft>,
): DraftHandle<Draft> {
  const restore = () =>
    set((before) => (before.dropped === null ? before : { open: true, draft: before.dropped, dropped: null }));
  const isEmpty = JSON.stringify(form.draft) === JSON.stringify(closed.draft);
  return {
    ...form,
    isEmpty,
    setOpen: (open) => set((before) => ({ ...before, open })),
    change: (change) => set((before) => ({ ...before, draft: change(before.draft) })),
    cancel: (done) => {
      const { draft, dropped } = form;
      set(() => ({ ...closed, dropped: isEmpty ? dropped : draft }));
      if (!isEmpty) {
        offerUndo(done, restore);
      }
    },
    restore,
    discard: () => set(() => closed),
  };
}

/** Returns the drafts of new versions of `user`, by project. */
export function useVersionDrafts(
  user: string,
): readonly { readonly projectId: string; readonly draft: VersionDraft }[] {
  const forms = draftsStore.use(({ version }) => version);
  return Object.entries(forms).flatMap(([key, { draft }]) => {
    const [projectId = '', ...owner] = key.split(' ');
    return owner.join(' ') === user ? [{ projectId, draft }] : [];
  });
}

export function forgetVersionDraft(user: string, projectId: string): void {
  draftsStore.setState(({ version }) => ({
    version: Object.fromEntries(Object.entries(version).filter(([key]) => key !== `${projectId} ${user}`)),
  }));
}
