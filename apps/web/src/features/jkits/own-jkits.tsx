import type { Jkit } from '@wirebench/contract';
import { jkitText } from '@wirebench/contract';
import { useState } from 'react';
import { useIsOwnName } from '../../shared/session/own-names.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { EmptySlot } from './empty-slot.tsx';
import { JkitList } from './jkit-list.tsx';
import { type LibraryProps, loadedFacts, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { useLibrary } from './library-store.ts';
import { ListAnswer, type ListAnswerProps } from './list-answer.tsx';
import { OrphanedDrafts } from './orphaned-drafts.tsx';
import { OwnSlot } from './own-slot.tsx';
import { useSlots } from './use-slots.ts';

export interface OwnJkitsProps extends LibraryProps {
  readonly query: ListAnswerProps['query'] & { readonly data: readonly Jkit[] | undefined };
  readonly slots: number;
}

/** The user's own JKits in their slots, and the free slots. */
export function OwnJkits({ user, panel, jkits, query, slots }: OwnJkitsProps) {
  const updating = useLibrary((state) => state.updating);
  const [chosen, setChosen] = useState<string | null>(updating);
  const publisher = loadedFacts(panel)?.publisher ?? null;
  const isOwn = useIsOwnName();
  const own = useSlots({ user, type: typeOf(panel) }, query.data, slots);
  const free = own.indexOf(null);
  return (
    <>
      <ListAnswer query={query} operation="List JKits" waiting="Loading your JKits…" />
      {publisher === null || isOwn(user, publisher) ? null : (
        <div className={styles['failure']}>
          <Notice level="info" title={jkitText.notYours(publisher)}>
            {free === -1 ? null : 'Save this panel in an empty slot to make it a JKit of your own.'}
          </Notice>
        </div>
      )}
      {query.data === undefined ? null : (
        <>
          <OrphanedDrafts user={user} panel={panel} jkits={jkits} own={query.data} full={free === -1} />
          <JkitList label="My JKits">
            {own.map((jkit, index) =>
              jkit === null ? (
                <EmptySlot
                  // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its index.
                  key={`empty-${index}`}
                  user={user}
                  panel={panel}
                  jkits={jkits}
                  place={index + 1}
                  first={index === free}
                />
              ) : (
                <OwnSlot
                  key={jkit._id}
                  user={user}
                  panel={panel}
                  jkits={jkits}
                  jkit={jkit}
                  place={index + 1}
                  chosen={chosen === jkit._id}
                  updating={updating === jkit._id}
                  onChoose={setChosen}
                />
              ),
            )}
          </JkitList>
        </>
      )}
    </>
  );
}
