/** Confirmations and effects of the actions on the user's own JKits. */
import type { Jkit } from '@wirebench/contract';
import { useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { toast } from '../../shared/ui/toast.ts';
import type { Question } from './ask.tsx';
import { useDeleteJkit, useShareJkit } from './calls/own-jkits.ts';
import { type LibraryProps, revisionOf } from './jkit-panel.ts';
import { closeLibrary } from './library-store.ts';
import { loadJkit } from './load-jkit.ts';
import { doneText } from './model/library-texts.ts';
import { deletedText, replacedText } from './model/panel-texts.ts';

export type OwnAct = 'load' | 'share' | 'unshare' | 'delete';

interface OwnJkit extends LibraryProps {
  readonly jkit: Jkit;
}

/**
 * Returns the confirmation of each action.
 *
 * @param onDone Called after an action has succeeded.
 */
export function useOwnQuestions({ panel, jkits, jkit }: OwnJkit, onDone: () => void): Record<OwnAct, Question> {
  const { _id: id, name } = jkit;
  /**
   * Keeps the panel's `updatedAt` if the content on the server differs from the panel's. A later update then still
   * detects the conflict.
   */
  const asLoaded = (changed: Jkit): Jkit => {
    const loaded = revisionOf(panel, id);
    const isSame = loaded === null || (loaded === jkit.updatedAt && changed.content === jkit.content);
    return isSame ? changed : { ...changed, updatedAt: loaded };
  };
  const loading = useApiMutation({
    mutationFn: async () => loadJkit(panel, jkits, jkit, false),
    onSuccess: closeLibrary,
  });
  const sharing = useShareJkit(id, {
    onSuccess: (changed, shared) => {
      jkits.refresh(asLoaded(changed));
      toast(doneText(shared ? 'share' : 'unshare', name));
      onDone();
    },
  });
  const deletion = useDeleteJkit(id, {
    onSuccess: () => {
      jkits.forget(id);
      toast(doneText('delete', name));
      onDone();
    },
  });
  return {
    load: {
      title: `Load ${name}?`,
      text: replacedText(panel),
      action: 'Load',
      call: loading,
      run: loading.mutate,
    },
    share: {
      title: `Share ${name}?`,
      text: 'Anyone can find it, load it and open it by its link.',
      action: 'Share',
      call: sharing,
      run: () => sharing.mutate(true),
    },
    unshare: {
      title: `Unshare ${name}?`,
      text: 'Nobody else can find it any more, and its link stops working. Others keep the copies that they have loaded.',
      action: 'Unshare',
      call: sharing,
      run: () => sharing.mutate(false),
    },
    delete: {
      title: `Delete ${name}?`,
      text: deletedText(panel),
      action: 'Delete',
      call: deletion,
      run: deletion.mutate,
    },
  };
}
