import { toast } from '../../shared/ui/toast.ts';
import type { Question } from './ask.tsx';
import { setStar } from './calls/starred-jkits.ts';
import type { PanelJkits } from './jkit-panel.ts';
import { doneText } from './model/library-texts.ts';

/** A star that is given or taken back. */
export function starQuestion(
  user: string,
  { id, name }: { readonly id: string; readonly name: string },
  starred: boolean,
  jkits: Pick<PanelJkits, 'setStarred'>,
): Question {
  const run = async () => {
    await setStar(user, id, starred);
    jkits.setStarred(id, starred);
    toast(doneText(starred ? 'star' : 'unstar', name));
  };
  return starred
    ? { act: 'star', title: `Star ${name}?`, text: 'You will find it under Starred.', action: 'Star', run }
    : {
        act: 'unstar',
        title: `Unstar ${name}?`,
        text: 'It is removed from your starred JKits.',
        action: 'Unstar',
        run,
      };
}
