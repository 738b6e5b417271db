import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import type { useStarredJkits } from './calls/starred-jkits.ts';
import { JkitList } from './jkit-list.tsx';
import type { LibraryProps } from './jkit-panel.ts';
import styles from './library.module.css';
import { ListAnswer } from './list-answer.tsx';
import { MoreButton } from './more-button.tsx';
import { SharedRow } from './shared-row.tsx';

export interface StarredJkitsProps extends LibraryProps {
  readonly query: ReturnType<typeof useStarredJkits>;
}

/** Other publishers' JKits that the user starred, while they are shared. */
export function StarredJkits({ query, ...props }: StarredJkitsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const found = query.data?.pages.flatMap(({ data }) => data.map(({ jkit }) => jkit));
  return (
    <>
      <ListAnswer query={query} operation="List starred JKits" waiting="Loading starred JKits…" />
      {found?.length === 0 ? (
        <div className={styles['none']}>
          <Bookmark />
          <p>No starred JKits. Find some under Explore, and star what you want to find again.</p>
        </div>
      ) : null}
      {found === undefined || found.length === 0 ? null : (
        <JkitList label="Starred JKits">
          {found.map((jkit) => (
            <SharedRow key={jkit._id} {...props} jkit={jkit} chosen={chosen === jkit._id} onChoose={setChosen} />
          ))}
        </JkitList>
      )}
      <MoreButton query={query} />
    </>
  );
}
