/** Saves a panel as a new JKit, which is private until it is shared, or as a new version of a JKit. */
import type { Jkit } from '@wirebench/contract';
import type { CallEnds } from '../../shared/api/use-api-mutation.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useSaveJkit } from './calls/own-jkits.ts';
import { LoadRefused } from './failed-act.ts';
import { type LibraryProps, typeOf } from './jkit-panel.ts';
import type { JkitDraft } from './library-store.ts';
import { doneText } from './model/library-texts.ts';

/**
 * Mutation that saves a panel.
 *
 * @param id JKit to update. Null: create one.
 */
export function useSavePanel(
  { panel, jkits }: Pick<LibraryProps, 'panel' | 'jkits'>,
  id: string | null,
  { onSuccess, onError }: CallEnds<Jkit, JkitDraft>,
) {
  return useSaveJkit(
    id,
    (draft: JkitDraft) => ({
      ...draftBody(draft),
      ...(id === null && { type: typeOf(panel) }),
      ...(id !== null && draft.basedOn !== undefined && { basedOn: draft.basedOn }),
      content: jkits.contentOf(panel.id) ?? contentGone(),
    }),
    {
      onSuccess: (jkit, draft) => {
        if (id !== null) {
          jkits.refresh(jkit);
        }
        jkits.attach(panel.id, jkit);
        toast(doneText(id === null ? 'save' : 'update', jkit.name));
        onSuccess?.(jkit, draft);
      },
      onError,
    },
  );
}

/**
 * Reports that the panel was removed in another tab while its library was open.
 *
 * @throws LoadRefused always.
 */
function contentGone(): never {
  throw new LoadRefused('This panel no longer exists. Close the library, then open it on another one.');
}

/** Converts a draft to the fields of the request. */
function draftBody({ name, description, tags, version }: JkitDraft) {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    name: name.trim(),
    description,
    tags: list,
    ...(version.trim() !== '' && { version: version.trim() }),
  };
}
