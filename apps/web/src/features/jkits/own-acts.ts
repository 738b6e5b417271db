/** What can be done with one's own jkits: the questions, and what happens when they are confirmed. */
import type { Jkit } from '@wirebench/contract';
import { toast } from '../../shared/ui/toast.ts';
import type { Question } from './ask.tsx';
import { deleteJkit, saveJkit, updateJkit } from './calls/own-jkits.ts';
import { draftBody } from './jkit-form.tsx';
import type { LibraryProps } from './library.tsx';
import { closeLibrary, type JkitDraft } from './library-store.ts';
import { loadJkit } from './load-jkit.ts';
import { doneText } from './model/library-texts.ts';
import { replacedText } from './model/replaced-text.ts';
import { contentGone } from './panel-content.ts';

export type OwnAct = 'load' | 'share' | 'unshare' | 'delete';

interface OwnJkit extends LibraryProps {
  readonly jkit: Jkit;
}

export function ownQuestions({ panel, jkits, jkit }: OwnJkit): Record<OwnAct, Question> {
  const { _id: id, name } = jkit;
  const share = async (shared: boolean) => {
    jkits.refresh(await updateJkit(id, { shared }));
    toast(doneText(shared ? 'share' : 'unshare', name));
  };
  return {
    load: {
      act: 'load',
      title: `Load ${name}?`,
      text: replacedText(panel),
      action: 'Load',
      run: async () => {
        loadJkit(panel, jkits, jkit, false);
        closeLibrary();
      },
    },
    share: {
      act: 'share',
      title: `Share ${name}?`,
      text: 'Anyone can find it, load it and open it by its link.',
      action: 'Share',
      run: () => share(true),
    },
    unshare: {
      act: 'unshare',
      title: `Unshare ${name}?`,
      text: 'Nobody else can find it any more, and its link stops working. Others keep the copies that they have loaded.',
      action: 'Unshare',
      run: () => share(false),
    },
    delete: {
      act: 'delete',
      title: `Delete ${name}?`,
      text: 'This cannot be undone: its stars and ratings are deleted too. Panels keep their messages.',
      action: 'Delete',
      run: async () => {
        await deleteJkit(id);
        jkits.forget(id);
        toast(doneText('delete', name));
      },
    },
  };
}

/** The panel becomes a new jkit, which only its owner sees until it is shared. */
export async function savePanel(
  { panel, jkits }: Pick<LibraryProps, 'panel' | 'jkits'>,
  draft: JkitDraft,
): Promise<void> {
  const content = jkits.contentOf(panel.id) ?? contentGone();
  const jkit = await saveJkit({ ...draftBody(draft), content });
  jkits.attach(panel.id, jkit);
  toast(doneText('save', jkit.name));
}

/** The jkit gets what the panel holds and the draft says. */
export async function updateOwn({ panel, jkits, jkit }: OwnJkit, draft: JkitDraft): Promise<void> {
  const content = jkits.contentOf(panel.id) ?? contentGone();
  const { basedOn } = draft;
  const change = { ...draftBody(draft), content, ...(basedOn !== undefined && { basedOn }) };
  const updated = await updateJkit(jkit._id, change);
  jkits.refresh(updated);
  jkits.attach(panel.id, updated);
  toast(doneText('update', updated.name));
}
