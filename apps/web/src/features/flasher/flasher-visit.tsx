/** Shows the page of one family. While another family works on a board, it says so and waits. */
import { families } from '@wirebench/boards';
import { Zap } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { buttonClass } from '../../shared/ui/button-class.ts';
import message from '../../shared/ui/message-page.module.css';
import type { PageFamily } from './page-family.ts';
import { takeCarried } from './store/carried-files.ts';
import { takeFiles } from './store/file-actions.ts';
import { shownFamily, watchFlashers } from './store/flasher-store.ts';
import { enterFamily, visitPage } from './store/page-visits.ts';

export interface FlasherVisitProps {
  readonly family: PageFamily;
  readonly children: ReactNode;
}

export function FlasherVisit({ family, children }: FlasherVisitProps) {
  const [entered, setEntered] = useState(() => enterFamily(family));
  useEffect(() => {
    if (entered) {
      void takeCarried(takeFiles);
      return visitPage();
    }
    const enter = () => setEntered(enterFamily(family));
    return watchFlashers(() => queueMicrotask(enter));
  }, [entered, family]);
  return entered ? children : <OtherAtWork />;
}

function OtherAtWork() {
  const other = shownFamily();
  if (other === null) {
    return null;
  }
  const { name, page } = families[other.name];
  return (
    <section className={message['page']}>
      <h1>The {name} flasher is at work</h1>
      <p role="status">It has not finished with its board. This page opens when it has.</p>
      <a href={page} className={buttonClass({ variant: 'primary' })}>
        <Zap />
        Go to the {name} flasher
      </a>
    </section>
  );
}
