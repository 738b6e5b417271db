/** Line below the strip that names the files for which this flasher was opened, with the way back. */

import { families } from '@wirebench/boards';
import { ArrowLeft, FileInput } from 'lucide-react';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { joinedFew } from '../answer/plan-words.ts';
import { SayLine } from '../say-line.tsx';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';

/** Draws nothing once the files are written or removed. */
export function ArrivedLine() {
  const arrival = useFlasher((state) => state.arrival);
  const hasFiles = useFlasher(({ chosen }) => chosen.files.length > 0 || chosen.builds !== undefined);
  const isOver = useFlash(({ phase }) => phase === 'writing' || phase === 'restarting' || phase === 'done');
  if (arrival === null || !hasFiles || isOver) {
    return null;
  }
  const { names } = arrival;
  const { name } = families[pageFamily().name];
  const from = families[arrival.from];
  return (
    <SayLine
      tone="info"
      icon={<FileInput />}
      actions={
        <a href={from.page} className={buttonClass({ size: 'sm' })}>
          <ArrowLeft />
          Stay with {from.name}
        </a>
      }
    >
      {joinedFew(names)} {names.length === 1 ? 'is' : 'are'} for {name}, so this is now the {name} flasher.
    </SayLine>
  );
}
