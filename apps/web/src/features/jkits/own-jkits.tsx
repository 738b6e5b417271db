import type { Jkit } from '@wirebench/contract';
import { jkitText } from '@wirebench/contract';
import { useState } from 'react';
import { Notice } from '../../shared/ui/notice.tsx';
import { EmptySlot } from './empty-slot.tsx';
import { JkitList } from './jkit-list.tsx';
import { loadedFacts } from './jkit-panel.ts';
import styles from './library.module.css';
import type { LibraryProps } from './library.tsx';
import { useLibrary } from './library-store.ts';
import { ListAnswer, type ListAnswerProps } from './list-answer.tsx';
import { OwnSlot } from './own-slot.tsx';

export interface OwnJkitsProps extends LibraryProps {
  readonly query: ListAnswerProps['query'] & { readonly data: readonly Jkit[] | undefined };
  readonly slots: number;
}

/** One's own jkits, each in a slot, and the slots that are free. */
export function OwnJkits({ user, panel, jkits, query, slots }: OwnJkitsProps) {
  const updating = useLibrary((state) => state.updating);
  const [chosen, setChosen] = useState<string | null>(updating);
  const publisher = loadedFacts(panel)?.publisher ?? user;
  const own = query.data ?? [];
  return (
    <>
      <ListAnswer query={query} operation="List jkits" waiting="Loading your jkits…" />
      {publisher === user ? null : (
        <div className={styles['failure']}>
          <Notice level="info" title={jkitText.notYours(publisher)}>
            {own.length < slots ? 'Saved in an empty slot, this panel becomes a jkit of your own.' : null}
          </Notice>
        </div>
      )}
      {query.data === undefined ? null : (
        <JkitList label="My JKits">
          {own.map((jkit, index) => (
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
          ))}
          {Array.from({ length: Math.max(0, slots - own.length) }, (_, index) => (
            <EmptySlot
              key={`empty-${String(index)}`}
              user={user}
              panel={panel}
              jkits={jkits}
              place={own.length + index + 1}
              first={index === 0}
            />
          ))}
        </JkitList>
      )}
    </>
  );
}
