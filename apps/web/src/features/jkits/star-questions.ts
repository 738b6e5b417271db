/** Confirmations and effects of setting and removing a star. */
import { toast } from '../../shared/ui/toast.ts';
import type { Question } from './ask.tsx';
import { useSetStar } from './calls/stars.ts';
import type { PanelJkits } from './jkit-panel.ts';
import { doneText } from './model/library-texts.ts';

/**
 * Returns the confirmation of each action.
 *
 * @param onDone Called after an action has succeeded.
 */
export function useStarQuestions(
  user: string,
  { id, name }: { readonly id: string; readonly name: string },
  jkits: Pick<PanelJkits, 'setStarred'>,
  onDone: () => void,
): Record<'star' | 'unstar', Question> {
  const call = useSetStar(user, id, {
    onSuccess: (_, starred) => {
      jkits.setStarred(id, starred);
      toast(doneText(starred ? 'star' : 'unstar', name));
      onDone();
    },
  });
  return {
    star: {
      title: `Star ${name}?`,
      text: 'You will find it under Starred.',
      action: 'Star',
      call,
      run: () => call.mutate(true),
    },
    unstar: {
      title: `Unstar ${name}?`,
      text: 'It is removed from your starred JKits.',
      action: 'Unstar',
      call,
      run: () => call.mutate(false),
    },
  };
}
